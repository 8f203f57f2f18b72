// So do built-ins, which the early phase makes convergent and nomerge.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: "s_ttracedata_imm 0x14"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (p[__lane()] > n)
    __builtin_amdgcn_s_ttracedata_imm(0x14);
  else
    __builtin_amdgcn_s_ttracedata_imm(0x14);
  p[0] = n;
}
