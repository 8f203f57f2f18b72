// The payload takes any integer type, as 32 bits.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:v\0AR:1:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0xffffffff\0A
// CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0xc8\0A
// CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0x1\0A

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_data("v", -1);
  p[0] = n;
  sqtt_marker_data("v", static_cast<unsigned char>(200));
  p[1] = n;
  sqtt_marker_data("v", true);
}
