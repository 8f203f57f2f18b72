// A block whose lanes are none: no record. The branch around it stays, and the block is a part of the kernel's own code, no
// new exit from it.
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O0} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --implicit-check-not=s_endpgm
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --implicit-check-not=s_endpgm
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --implicit-check-not=s_endpgm

// CHECK-LABEL: k:
// CHECK: saveexec
// CHECK: s_cbranch_execz
// CHECK: s_mov_b32 m0, exec_lo
// CHECK: store
// CHECK: s_endpgm
extern "C" __global__ void k(int *p, int n) {
  if (__lane() < static_cast<unsigned>(n)) p[__lane()] = 1;
}
