// Inlining a wrapper leaves the other functions that its caller calls alone (at -O0, where nothing else inlines).
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only

// CHECK: c"K:_Z1kPii\0AP:1:marked\0AP:2:again\0A\00"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: call void @_Z4workPi(
// CHECK: "s_ttracedata_imm 0x8"

#include "markers.hpp"

__device__ void mark(const char *name) { sqtt_marker_point(name); }
__device__ void work(int *p) { ++*p; }
__global__ void k(int *p, int n) {
  mark("marked");
  work(p + n);
  mark("again");
}
