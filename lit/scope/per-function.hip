// Every function reads the slots for itself, once, and only where it has markers; no value crosses into another one.
// RUN: env SQTT_SCOPE_CU=1 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: define{{.*}} @_Z6markedPi(
// CHECK-COUNT-1: call i32 @llvm.amdgcn.s.getreg(
// CHECK-NOT: getreg
// CHECK: define{{.*}} @_Z5plainPi(
// CHECK-NOT: getreg
// CHECK: define{{.*}} @k(
// CHECK-COUNT-1: call i32 @llvm.amdgcn.s.getreg(
// CHECK-NOT: call i32 @llvm.amdgcn.s.getreg
// CHECK: ret void

#include "markers.hpp"
__device__ __noinline__ void marked(int *p) {
  sqtt_marker_enter("in");
  p[0] = p[1] * 3;
  sqtt_marker_exit("in");
}
__device__ __noinline__ void plain(int *p) { p[2] = p[3] * 5; }
extern "C" __global__ void k(int *p) {
  sqtt_marker_enter("out");
  marked(p);
  plain(p);
  sqtt_marker_exit("out");
}
