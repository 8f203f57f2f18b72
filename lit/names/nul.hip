// A name ends at its NUL.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:head\0AP:2:tail\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: "s_ttracedata_imm 0x8"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_point("head\0tail");
  p[0] = n;
  sqtt_marker_point(&"head\0tail"[5]);
}
