// What a debugger is told of variables does not stand right behind a scheduling barrier: LLVM 19's machine scheduler
// corrupts its memory there.
// RUN: %hip{O1} --offload-arch=gfx90a -S -emit-llvm -g %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx90a -S -emit-llvm -g %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx90a -S -emit-llvm -g %s -o - | %FileCheck %s

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK-NEXT: asm sideeffect "s_mov_b32 m0, 0x4
// CHECK-NEXT: #dbg_value(
// CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK-NEXT: {{^}}  {{[^ ]}}
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK: #dbg_value(
// CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK-NEXT: {{^}}  {{[^ ]}}
// CHECK: ret void

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_point("a");
  int later = n;
  p[0] = later;
  sqtt_marker_point(70);
  int last = n;
  p[1] = last + later;
}
