// A name that changes from one turn of a loop to the next: both are known.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known --implicit-check-not='call{{.*}}sqtt_'

// CHECK: c"K:_Z1kPii\0AP:{{[12]}}:{{first|later}}\0AP:{{[12]}}:{{first|later}}\0A\00"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: {{ttracedata}}

#include "markers.hpp"

__global__ void k(int *p, int n) {
  const char *name = "first";
  for (int i = 0; i < n; ++i) {
    sqtt_marker_point(name);
    p[i] = n;
    name = "later";
  }
}
