// REQUIRES: llvm22
// Every inserted instruction has a place in the source.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -g %s -o - | %FileCheck %s

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: call i32 @llvm.amdgcn.readfirstlane.i32({{.*}}!dbg
// CHECK: call i32 @llvm.amdgcn.readfirstlane.i32({{.*}}!dbg
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0){{.*}}!dbg
// CHECK-NEXT: asm sideeffect {{.*}}!dbg
// CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0){{.*}}!dbg

#include "markers.hpp"

__device__ void mark(const char *name, unsigned v) { sqtt_marker_data(name, v); }
__global__ void k(int *p, int n) {
  mark(n ? "a" : "b", __lane());
  p[0] = n;
}
