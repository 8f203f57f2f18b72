// A built-in immediate of 16 bits stays what the user wrote.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x1234"
// CHECK: "s_ttracedata_imm 0xffff"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  __builtin_amdgcn_s_ttracedata_imm(0x1234);
  __builtin_amdgcn_s_ttracedata_imm(-1);
  p[0] = n;
}
