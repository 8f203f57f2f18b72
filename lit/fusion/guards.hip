// The end of a guard directly before an enter, of a guard or of another scope, is one record with it.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:a\0AU:2:b\0AU:3:c\0AU:4:d\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0xb"
// CHECK: "s_ttracedata_imm 0xf"
// CHECK: "s_ttracedata_imm 0x13"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  {
    sqtt_scope a("a");
    p[0] = n;
  }
  {
    sqtt_scope b("b");
    p[1] = n;
  }
  sqtt_marker_enter("c");
  p[2] = n;
  sqtt_marker_exit();
  sqtt_scope d("d");
  p[3] = n;
}
