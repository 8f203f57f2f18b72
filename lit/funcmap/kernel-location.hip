// With debug information K: rows say where the kernel is; the rows of markers, which several places share, do not.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -gline-tables-only %s -o - | %FileCheck %s
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -gline-tables-only %s -o - | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -gline-tables-only %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -gline-tables-only %s -o - | %FileCheck %s

// CHECK: c"K:_Z1kPii@{{.*}}kernel-location.hip:11\0AP:1:x\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_point("x");
  p[0] = n;
}
