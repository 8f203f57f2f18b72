// Debug intrinsics between the two change nothing (what -O0 leaves of a variable is a store, which is code).
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s %only %known

// CHECK: \0AU:1:a\0AU:2:b\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0xb"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter("a");
  p[0] = n;
  sqtt_marker_exit("a");
  sqtt_marker_enter("b");
  p[1] = n;
  sqtt_marker_exit("b");
}
