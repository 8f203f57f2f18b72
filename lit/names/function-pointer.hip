// A wrapper called through a pointer that the compiler sees through.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:pointed\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"

#include "markers.hpp"

__device__ void mark(const char *name) { sqtt_marker_point(name); }
__global__ void k(int *p, int n) {
  void (*pointer)(const char *) = &mark;
  pointer("pointed");
  p[0] = n;
}
