// SQTT_VERBOSE says which ids were left to numeric markers.
// RUN: env SQTT_VERBOSE=1 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: env SQTT_VERBOSE=1 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o /dev/null 2>&1 | %FileCheck %s

// CHECK: sqtt: late: {{.*}}verbose.hip: {{.*}}ids left to numeric markers: 5 9;

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_point(5);
  p[0] = n;
  sqtt_marker_point(9);
  sqtt_marker_point("named");
}
