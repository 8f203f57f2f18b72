// A recursive function keeps its markers and is not inlined into itself.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'

// CHECK: c"K:_Z1kPii\0AU:1:walk\0A\00"
// CHECK-LABEL: define{{.*}} void @_Z4walkiPi(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(

#include "markers.hpp"

__device__ void walk(int n, int *p) {
  sqtt_marker_enter("walk");
  if (n > 0) {
    walk(n - 1, p);
    walk(n - 2, p + 1);
  }
  ++*p;
  sqtt_marker_exit("walk");
}
__global__ void k(int *p, int n) { walk(n, p); }
