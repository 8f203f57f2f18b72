// The forms of a record on gfx90a: always M0 and its wait states. Neighbours are one asm: between two that write M0
// the compiler would wait on gfx942.
// RUN: %hip{O0} --offload-arch=gfx90a -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx90a -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx90a -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx90a -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_mov_b32 m0, 0x6\0A\09s_nop 0\0A\09s_ttracedata", "={m0}"()
// CHECK: "s_mov_b32 m0, 0x1\0A\09s_nop 0\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x190\0A\09s_nop 0\0A\09s_ttracedata", "={m0}"()

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter("a");
  p[0] = n;
  sqtt_marker_exit("a");
  __builtin_amdgcn_s_ttracedata(100 << 2);
}
