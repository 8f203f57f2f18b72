// With code between, or with a point, they are two.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:a\0AU:2:b\0AP:3:p\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: "s_ttracedata_imm 0xa"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: "s_ttracedata_imm 0xc"
// CHECK: s_mov_b32 m0,
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  {
    sqtt_scope a("a");
    p[0] = n;
  }
  p[1] = n;
  {
    sqtt_scope b("b");
    p[2] = n;
  }
  sqtt_marker_point("p");
  sqtt_scope c(100);
  p[3] = n;
}
