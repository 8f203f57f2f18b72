// A filtered marker that is all there is in a divergent block does not merge its branch into the lane mask.
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx90a -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O3} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s

// CHECK-LABEL: {{^}}k:
// CHECK-NOT: s_cselect
// CHECK: s_cbranch_execz
// CHECK-NOT: s_cselect
// CHECK: s_cbranch_scc1
// CHECK: s_ttracedata
// CHECK-NOT: s_cselect
// CHECK: s_endpgm

#include "markers.hpp"
extern "C" __global__ void k(unsigned *p, unsigned n) {
  if (__lane() < n) sqtt_marker_point("a");
  p[__lane()] = 1;
}
