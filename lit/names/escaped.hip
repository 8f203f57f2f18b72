// What would end a row, a name or a string early is escaped; everything else stands as it is.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:%:a%0AU:9:forged\0AP:2:%:b%0Dc\0AP:3:%:d%40e.hip:7\0AP:4:%:%25:f\0AP:5:%:%25:%40%2541\0AP:6:100% : \FF\C3\A9\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0xc"
// CHECK: "s_ttracedata_imm 0x10"
// CHECK: "s_ttracedata_imm 0x14"
// CHECK: "s_ttracedata_imm 0x18"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_point("a\nU:9:forged");
  p[0] = n;
  sqtt_marker_point("b\rc");
  p[1] = n;
  sqtt_marker_point("d@e.hip:7");
  p[2] = n;
  sqtt_marker_point("%:f");
  p[3] = n;
  sqtt_marker_point("%:@%41");
  p[4] = n;
  sqtt_marker_point("100% : \xff\u00e9");
}
