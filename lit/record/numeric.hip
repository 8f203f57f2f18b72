// The object says which ids its own numeric markers use: those of constants, `any` where a number comes at run time or
// an asm of the user's writes records, `none` where there are no numeric markers. A number is not counted where nothing
// reaches it, an exit has no id, and of a wide immediate the hardware takes the low byte.
// RUN: %hip{O0} -DCASE=0 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=NONE
// RUN: %hip{O2} -DCASE=0 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=NONE
// RUN: %hip{O0} -DCASE=1 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=SOME
// RUN: %hip{O2} -DCASE=1 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=SOME
// RUN: %hip{O0} -DCASE=2 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O2} -DCASE=2 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O0} -DCASE=3 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O2} -DCASE=3 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O0} -DCASE=4 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O2} -DCASE=4 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=ANY
// RUN: %hip{O0} -DCASE=5 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=WIDE
// RUN: %hip{O2} -DCASE=5 --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=WIDE

// NONE: \0Anumeric=none\0Ahash=
// SOME: \0Anumeric=3,7,40-42\0Ahash=
// ANY: \0Anumeric=any\0Ahash=
// WIDE: \0Anumeric=13,1165\0Ahash=

#include "markers.hpp"

__device__ void mark(unsigned id) { sqtt_marker_point(id); }
__device__ void dead(unsigned id) { mark(id + 100); }

extern "C" __global__ void k(int *p, int n) {
  sqtt_marker_enter("named");
  p[1] = n;
#if CASE == 1
  { sqtt_scope guard(41); p[0] = n; }
  sqtt_marker_enter(40);
  mark(42);
  int id = 3;
  sqtt_marker_point(n ? id : 7);
  sqtt_marker_exit(40);
#elif CASE == 2
  for (int i = 1; i < n; ++i) { mark(i); p[i] = n; }
#elif CASE == 3
  int id = 3;
  int *at = &id;
  asm volatile("; %0" : : "v"(at) : "memory");
  sqtt_marker_point(id);
#elif CASE == 4
  asm volatile("s_ttracedata_imm 0x14");
#elif CASE == 5
  __builtin_amdgcn_s_ttracedata_imm(0x1234);
#endif
  sqtt_marker_exit("named");
}
