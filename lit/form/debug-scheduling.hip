// With debug information between markers the machine scheduler of LLVM 19 corrupts its memory when a sched_barrier is
// followed by nothing else: in the plugin's code and in the header's.
// RUN: %hip{O1} -g --offload-arch=gfx90a -S %s -o - | %FileCheck %s
// RUN: %hip{O3} -g --offload-arch=gfx1201 -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 %hip{O3} -g --offload-arch=gfx90a -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=asm %hip{O2} -g --offload-arch=gfx942 -S %s -o - | %FileCheck %s

// CHECK: s_ttracedata
// CHECK: s_endpgm

#include "markers.hpp"

extern "C" __global__ void k(const unsigned *in, unsigned *out) {
  unsigned a = 0, b = in[__lane()], c = 0;
  {
    const char *name = "x";
    if ((__lane() & 7u) < 3u) name = "b";
    sqtt_scope scope(name);
  }
  c = a < b ? b : a;
  {
    sqtt_scope scope(3);
    sqtt_scope inner("inner");
    a = c;
  }
  c = in[b & 255u];
  out[__lane()] = c;
}
