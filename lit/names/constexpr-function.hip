// Names from constexpr functions and from functions that return one.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:second\0AP:2:given\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: "s_ttracedata_imm 0x8"

#include "markers.hpp"

__device__ constexpr const char *pick(int i) { return i == 0 ? "first" : "second"; }
__device__ const char *give() { return "given"; }
__global__ void k(int *p, int n) {
  constexpr const char *name = pick(1);
  sqtt_marker_point(name);
  p[0] = n;
  sqtt_marker_point(give());
}
