// A name has one id however often it is used; as a scope, an event and a data marker it has three.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:x\0AP:2:x\0AP:3:x\0AR:3:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, 0x9
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter("x");
  p[0] = n;
  sqtt_marker_enter("x");
  p[1] = n;
  sqtt_marker_point("x");
  p[2] = n;
  sqtt_marker_data("x", 9);
  sqtt_marker_exit("x");
  p[3] = n;
  sqtt_marker_exit("y");
}
