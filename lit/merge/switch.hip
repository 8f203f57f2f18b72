// Equal markers in several cases of a switch stay as many.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:x\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-3: "s_ttracedata_imm 0x4"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  switch (p[__lane()]) {
  case 0: sqtt_marker_point("x"); p[1] = n; break;
  case 1: sqtt_marker_point("x"); p[1] = n; break;
  case 7: sqtt_marker_point("x"); p[1] = n; break;
  default: break;
  }
}
