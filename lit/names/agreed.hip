// Where all callers of a function are known and hand the same name in, nothing is inlined: the marker stays in place.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:same\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} void @_Z4markPKcPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: call void @_Z4markPKcPii(
// CHECK: call void @_Z4markPKcPii(

#include "markers.hpp"

__device__ void mark(const char *name, int *p, int depth) {
  sqtt_marker_point(name);
  ++*p;
  if (depth) mark(name, p, depth - 1);
}
__global__ void k(int *p, int n) {
  mark("same", p, n);
  mark("same", p + 1, n);
}
