// Equal data markers in both arms of a branch stay two, each header with its own payload.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:v\0AR:1:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0x5\0A\09s_nop 3\0A\09s_ttracedata"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (p[__lane()] > n)
    sqtt_marker_data("v", 5);
  else
    sqtt_marker_data("v", 5);
  p[0] = n;
}
