// Whole scopes in both arms stay whole.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:x\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (p[__lane()] > n) {
    sqtt_marker_enter("x");
    p[1] = n;
    sqtt_marker_exit("x");
  } else {
    sqtt_marker_enter("x");
    p[2] = n;
    sqtt_marker_exit("x");
  }
  p[0] = n;
}
