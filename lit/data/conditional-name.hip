// A data marker whose name is chosen at run time: two scalar operands, header first.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:a\0AR:1:extra_payload_count=1\0AP:2:b\0AR:2:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: call i32 @llvm.amdgcn.readfirstlane.i32(
// CHECK: "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $2\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s,s"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_data(p[__lane()] ? "a" : "b", __lane());
  p[0] = n;
}
