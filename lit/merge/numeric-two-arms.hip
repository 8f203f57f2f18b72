// Numeric markers in both arms stay two.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: "s_mov_b32 m0, 0x14\0A

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (p[__lane()] > n)
    sqtt_marker_point(5);
  else
    sqtt_marker_point(5);
  p[0] = n;
}
