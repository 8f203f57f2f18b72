// With -fgpu-rdc another module may call them: every marker has its row.
// RUN: env SQTT_ID_SPACE=compact %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -fgpu-rdc %s -o - | %FileCheck %s
// RUN: env SQTT_ID_SPACE=compact %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -fgpu-rdc %s -o - | %FileCheck %s
// RUN: env SQTT_ID_SPACE=compact %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -fgpu-rdc %s -o - | %FileCheck %s
// RUN: env SQTT_ID_SPACE=compact %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -fgpu-rdc %s -o - | %FileCheck %s

// CHECK: c"K:_Z1kPii\0AP:1:first\0AP:2:second\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

__device__ __noinline__ void first(int *p) {
  sqtt_marker_point("first");
  ++*p;
}
__device__ __noinline__ void second(int *p) {
  sqtt_marker_point("second");
  ++*p;
}
__global__ void k(int *p, int n) { first(p + n); }
