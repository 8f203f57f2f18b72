// A function that is only reached through a pointer in memory is alive.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"K:_Z1kPii\0AP:1:hidden\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

__device__ __noinline__ void hidden(int *p) {
  sqtt_marker_point("hidden");
  ++*p;
}
__device__ void (*pointer)(int *) = &hidden;
__global__ void k(int *p, int n) { pointer(p + n); }
