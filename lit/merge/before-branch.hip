// A marker before a divergent branch is not duplicated into its arms (jump threading, tail duplication).
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:x\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-1: "s_ttracedata_imm 0x4"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  int v = p[__lane()];
  int a = 0;
  if (v > n) {
    a = 1;
    p[1] = v;
  }
  sqtt_marker_point("x");
  if (a)
    p[2] = n;
  else
    p[3] = n;
}
