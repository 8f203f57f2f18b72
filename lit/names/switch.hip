// A name chosen by a switch: one marker, three names.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:{{zero|one|many}}\0AP:2:{{zero|one|many}}\0AP:3:{{zero|one|many}}\0A\00"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: readfirstlane
// CHECK: asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  const char *name;
  switch (n) {
  case 0: name = "zero"; break;
  case 1: name = "one"; break;
  default: name = "many"; break;
  }
  sqtt_marker_point(name);
  p[0] = n;
}
