// The header's numeric markers are nothing in a function's size, with what stands beside them: @f has three instructions.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=2 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=IN
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=OUT

// IN: c"F:{{[0-9]}}:_ZL1fi\0AK:k\0A\00"
// OUT: c"K:k\0A\00"

#include "markers.hpp"

static __device__ __attribute__((noinline)) int f(int v) {
  sqtt_marker_point(15);
  sqtt_marker_enter(16);
  sqtt_marker_exit(16);
  return v * 3 + 1;
}
extern "C" __global__ void k(int *p) { p[0] = f(p[1]); }
