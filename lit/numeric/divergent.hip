// A numeric id or a built-in's word that differs between lanes goes through readfirstlane.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: %[[V:.*]] = {{.*}}call i32 @llvm.amdgcn.readfirstlane.i32(
// CHECK: "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s"(i32 %[[V]])

#include "markers.hpp"

__global__ void k(int *p, int n) {
  __builtin_amdgcn_s_ttracedata(p[__lane()]);
  p[0] = n;
}
