// A guard closes its scope at every return.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0xa"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_scope guard("guard");
  if (p[__lane()] == n) {
    p[1] = n;
    return;
  }
  for (int i = 0; i < n; ++i) {
    sqtt_scope turn("turn");
    if (p[i] == 7)
      continue;
    if (p[i] == 8)
      break;
    p[i] = 9;
  }
}
