// A marker in a function that is gone has no row and no id.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known

// CHECK: c"K:_Z1kPii\0AP:1:here\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

static __device__ void unused(int *p) {
  sqtt_marker_enter("gone");
  *p = 1;
  sqtt_marker_exit("gone");
}
__global__ void k(int *p, int n) {
  if (sizeof(n) == 8)
    unused(p);
  sqtt_marker_point("here");
  p[0] = n;
}
