// The forms of a record on gfx1030: immediate where the word fits, else M0 and its wait states.
// RUN: %hip{O0} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6", ""()
// CHECK: "s_ttracedata_imm 0x1", ""()
// CHECK: "s_mov_b32 m0, 0x190\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter("a");
  p[0] = n;
  sqtt_marker_exit("a");
  __builtin_amdgcn_s_ttracedata(100 << 2);
}
