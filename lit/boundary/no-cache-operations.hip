// No boundary adds an operation on a cache of global memory, on any target, with LDS in use.
// RUN: env SQTT_MEM_BARRIER=fence %hip{O0} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --implicit-check-not=buffer_inv --implicit-check-not=buffer_wb
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --implicit-check-not=buffer_inv --implicit-check-not=buffer_wb
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --implicit-check-not=buffer_inv --implicit-check-not=buffer_wb
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1030 -S %s -o - | %FileCheck %s --implicit-check-not=buffer_gl
// RUN: env SQTT_MEM_BARRIER=fence SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --implicit-check-not=buffer_gl
// RUN: env SQTT_MEM_BARRIER=fence SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=asm %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --implicit-check-not=buffer_gl
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s --implicit-check-not=global_inv --implicit-check-not=global_wb

// CHECK: s_ttracedata
// CHECK: s_ttracedata
// CHECK: s_endpgm

#include "markers.hpp"
__shared__ int lds[64];
extern "C" __global__ void k(int *p) {
  lds[__lane()] = p[0];
  sqtt_marker_enter("a");
  p[0] = lds[63 - __lane()];
  sqtt_marker_exit("a");
}
