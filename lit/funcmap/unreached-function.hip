// HIP drops device functions that no kernel reaches: their markers have no row, and a kernel's own function
// has one.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"K:_Z1kPii\0AP:1:reached\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

__device__ __noinline__ void reached(int *p) {
  sqtt_marker_point("reached");
  ++*p;
}
__device__ __noinline__ void unreached(int *p) {
  sqtt_marker_point("unreached");
  ++*p;
}
__global__ void k(int *p, int n) { reached(p + n); }
