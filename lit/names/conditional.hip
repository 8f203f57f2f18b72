// A name chosen at run time is one marker; the first active lane chooses. Its words go through a scalar
// register whatever the condition is.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:yes\0AU:2:no\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: %[[WORD:.*]] = {{(select|phi) .*}}
// CHECK: %[[FIRST:.*]] = {{.*}}call i32 @llvm.amdgcn.readfirstlane.i32(i32 %[[WORD]])
// CHECK: asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s"(i32 %[[FIRST]])
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter(p[__lane()] ? "yes" : "no");
  p[0] = n;
  sqtt_marker_exit("");
}
