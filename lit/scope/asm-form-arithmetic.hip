// What the source has between enter and exit stays between them, arithmetic too, in the asm form as without a filter.
// RUN: env SQTT_SCOPE_CU=-1 %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s
// RUN: env SQTT_SCOPE_CU=1 SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s

// CHECK-LABEL: _Z1kPffff:
// CHECK-NOT: v_fma{{.*}}f32
// CHECK: s_ttracedata_imm 0x6
// CHECK-COUNT-3: v_fma{{.*}}f32
// CHECK-NOT: v_fma{{.*}}f32
// CHECK: s_ttracedata_imm 0x1
// CHECK-COUNT-3: v_fma{{.*}}f32
// CHECK-NOT: v_fma{{.*}}f32
// CHECK: s_endpgm

#include "markers.hpp"

__global__ void k(float *p, float a, float b, float c) {
  const int lane = __lane();
  const float x = p[lane], y = p[lane + 64];
  sqtt_marker_enter("first");
  float z = x * y + a;
  z = z * x + b;
  z = z * y + c;
  sqtt_marker_exit("first");
  float w = y * x - c;
  w = w * y + b;
  w = w * x + a;
  p[lane] = w;
  p[lane + 64] = z;
}
