// Ids that the user picked for numeric markers are not given to names.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:2:named\0AU:4:scope\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_mov_b32 m0, 0x6\0A
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: "s_mov_b32 m0, 0xc\0A
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0x12"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter(1);
  p[0] = n;
  sqtt_marker_exit(1);
  sqtt_marker_point(3u);
  p[1] = n;
  sqtt_marker_point("named");
  sqtt_marker_enter("scope");
  p[2] = n;
  sqtt_marker_exit("scope");
}
