// A marker in code that the optimizer removes has no row; the others have.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -Wno-tautological-compare %s -o - | %FileCheck %s %only
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-tautological-compare %s -o - | %FileCheck %s %only
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -Wno-tautological-compare %s -o - | %FileCheck %s %only

// CHECK: c"K:_Z1kPii\0AP:1:here\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (n != n)
    sqtt_marker_point("gone");
  sqtt_marker_point("here");
  p[0] = n;
}
