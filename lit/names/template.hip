// Names from template parameters and constexpr members.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:zeroth\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"

#include "markers.hpp"

template <int N> struct Stage { static constexpr const char *name = N == 0 ? "zeroth" : "other"; };
template <typename T> __device__ void mark() { sqtt_marker_point(T::name); }
__global__ void k(int *p, int n) {
  sqtt_marker_point(Stage<0>::name);
  p[0] = n;
}
