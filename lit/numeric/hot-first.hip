// Small numbers go to what is emitted most, at every level, with function markers and without: ids up to 63 take the short
// form. Ties go by first appearance.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=1000 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"K:_Z1kPi\0AP:2:one\0AP:1:hot\0AP:3:two\0A\00"

#include "markers.hpp"

__global__ void k(int *p) {
  sqtt_marker_point("one");
  p[0] += 1;
  sqtt_marker_point("hot");
  p[1] += 2;
  sqtt_marker_point("two");
  p[2] += 3;
  sqtt_marker_point("hot");
}
