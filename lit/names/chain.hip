// A marker whose name is in sight does not cause inlining: a chain of callers keeps its shape (at -O0 and, with
// noinline, above).
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only

// CHECK: c"K:_Z1kPii\0AU:1:a\0A\00"
// CHECK-LABEL: define{{.*}} void @_Z1aPi(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK-LABEL: define{{.*}} void @_Z1bPi(
// CHECK-COUNT-2: call {{.*}}@_Z1aPi
// CHECK-LABEL: define{{.*}} void @_Z1cPi(
// CHECK-COUNT-2: call {{.*}}@_Z1bPi
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: call {{.*}}@_Z1cPi

#include "markers.hpp"

__noinline__ __device__ void a(int *p) {
  sqtt_marker_enter("a");
  ++*p;
  sqtt_marker_exit("a");
}
__noinline__ __device__ void b(int *p) { a(p); a(p + 1); }
__noinline__ __device__ void c(int *p) { b(p); b(p + 1); }
__global__ void k(int *p, int n) {
  c(p);
  c(p + n);
}
