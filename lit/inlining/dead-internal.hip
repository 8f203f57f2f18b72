// A function with internal linkage that the plugin inlined everywhere must go: LLVM 19's code generator crashes on an
// unreferenced internal function at -O0, so that a compile breaks by loading the plugin.
// RUN: %hip{O0} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=IR --implicit-check-not='define internal'

// CHECK: s_ttracedata_imm 0x4
// IR: "s_ttracedata_imm 0x4"

#include "markers.hpp"

static __device__ void mark(const char *name) { sqtt_marker_point(name); }

__global__ void k(int *p, int n) {
  mark("x");
  mark("y");
  p[0] = n;
}
