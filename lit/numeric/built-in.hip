// Records that the user writes with the built-ins keep their instruction, and reserve their ids.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:3:named\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_mov_b32 m0, 0x4\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0xc"

#include "markers.hpp"

__global__ void k(int *p, int n) {
  __builtin_amdgcn_s_ttracedata(1 << 2);
  p[0] = n;
  __builtin_amdgcn_s_ttracedata_imm(2 << 2);
  p[1] = n;
  sqtt_marker_point("named");
}
