// Guard objects: several in a scope, left in reverse, and on every way out.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:outer\0AU:2:inner\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0xa"
// CHECK: store i32
// CHECK-COUNT-2: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_scope outer("outer");
  sqtt_scope inner("inner");
  p[0] = n;
}
