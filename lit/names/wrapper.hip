// A wrapper of a wrapper: the literal is two calls away.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:wrapped\0A\00", section ".sqtt_funcmap"
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__device__ void inner(const char *name, int *p) {
  sqtt_marker_enter(name);
  ++*p;
  sqtt_marker_exit(name);
}
__device__ void outer(const char *name, int *p) { inner(name, p + 1); }
__global__ void k(int *p, int n) {
  outer("wrapped", p + n);
  p[0] = n;
}
