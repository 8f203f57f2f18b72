// The header's own functions are never marked: what the user wrote are five records and the scope of the function itself.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o %t.O0.ll
// RUN: %FileCheck %s --input-file=%t.O0.ll --check-prefixes=MAP
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o %t.O2.ll
// RUN: %FileCheck %s --input-file=%t.O2.ll --check-prefixes=MAP,CODE
// Without what they do, a function of theirs is small.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=12 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=SMALL

// MAP: c"F:1:_Z1fPi\0AK:k\0A\00"
// CODE-LABEL: define{{.*}} amdgpu_kernel void @k(
// CODE-COUNT-6: asm sideeffect "s_{{ttracedata|mov_b32 m0}}
// CODE-NOT: ttracedata
// CODE: ret void
// SMALL: c"K:k\0A\00"

#include "markers.hpp"

__device__ void f(int *p) {
  sqtt_scope guard(5);
  *p += 1;
  sqtt_marker_point(6);
  *p *= 3;
  sqtt_marker_exit();
}
extern "C" __global__ void k(int *p) { f(p); }
