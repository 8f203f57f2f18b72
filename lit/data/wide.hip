// A value of 64 bits is two words, the low one first, and has a row of its own beside a word of its name. A float is its
// bits, one of 16 bits those of the float that it is.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:2:v\0AR:2:extra_payload_count=1\0AP:1:v\0AR:1:extra_payload_count=2\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x8\0A\09s_mov_b32 m0, 0x40300000\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
// CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0x55667788\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x11223344\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
// CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, 0x0\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x40060000\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
// CHECK: "s_ttracedata_imm 0x8\0A\09s_mov_b32 m0, 0x3fc00000\0A
// CHECK: "s_ttracedata_imm 0x4\0A

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_data("v", 2.75f);
  p[0] = n;
  sqtt_marker_data("v", 0x1122334455667788ull);
  p[1] = n;
  sqtt_marker_data("v", 2.75);
  p[2] = n;
  sqtt_marker_data("v", (_Float16)1.5f);
  p[3] = n;
  sqtt_marker_data("v", p);
}
