// So is an exit, by name or by number, before an enter by number, whose word gets the exit's bit: a constant, and one
// that is chosen at run time.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx942 -S -emit-llvm %s -o - | %FileCheck %s %only %known --check-prefix=GFX9

// CHECK: c"K:_Z1kPii\0AU:1:named\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: {{s_mov_b32 m0, (0x192|\$1)}}
// CHECK: {{s_mov_b32 m0, (0x197|\$1)}}
// CHECK: "s_ttracedata_imm 0x7"
// CHECK: {{s_mov_b32 m0, (0x19b|\$1)}}
// CHECK: s_mov_b32 m0, $1
// CHECK: {{s_mov_b32 m0, (0x19f|\$1)}}
// CHECK: "s_ttracedata_imm 0x1"
// GFX9-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// GFX9-COUNT-6: s_ttracedata"
// GFX9: s_mov_b32 m0, 0x1\0A

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter(100);
  p[0] = n;
  sqtt_marker_exit(100);
  sqtt_marker_enter(101u);
  p[1] = n;
  sqtt_marker_exit();
  sqtt_marker_enter("named");
  p[2] = n;
  sqtt_marker_exit("named");
  sqtt_marker_enter(102ull);
  p[3] = n;
  sqtt_marker_exit();
  sqtt_marker_enter(n + 1000);
  p[4] = n;
  sqtt_marker_exit();
  sqtt_scope guard(103);
  p[5] = n;
}
