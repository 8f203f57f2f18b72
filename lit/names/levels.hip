// Every kind of named marker, at every level.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:scope\0AP:2:event\0AP:3:value\0AR:3:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, 0x7\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter("scope");
  p[0] = n;
  sqtt_marker_point("event");
  p[1] = n;
  sqtt_marker_data("value", 7);
  sqtt_marker_exit("scope");
}
