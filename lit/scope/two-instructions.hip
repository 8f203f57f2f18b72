// A wave outside the filter pays two scalar instructions per marker: a test and a branch, in both forms and on every
// target. For one field the entry reads the field; in the form with branches it shifts and spreads. No vector register
// has a part in it.
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O1} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx1030 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O3} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 %hip{O1} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1030 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM
// RUN: env SQTT_SCOPE_CU=1 %hip{O3} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM

// CHECK-LABEL: {{^}}k:
// CHECK: s_getreg_b32 [[ID:s[0-9]+]], hwreg(HW_REG_{{(WAVE_)?}}HW_ID{{1?}}, {{8|10}}, 4)
// CFG: s_lshr_b32 [[BIT:s[0-9]+]], 1, [[ID]]
// CFG: s_bfe_i32 [[SCOPE:s[0-9]+]], [[BIT]], 0x10000
// CHECK-NOT: v_cndmask
// ASM-NOT: s_lshr
// ASM-NOT: s_bfe
// CFG: s_cmp_lt_u32 [[SCOPE]], 2
// CFG: s_cbranch_scc1
// CFG: s_ttracedata
// CFG: s_cmp_lt_u32 [[SCOPE]], 3
// CFG: s_cbranch_scc1
// CFG: s_ttracedata
// ASM: s_bitcmp1_b32 0x1, [[ID]]
// ASM-NEXT: s_cbranch_scc0
// ASM: s_ttracedata
// ASM: s_bitcmp1_b32 0x1, [[ID]]
// ASM-NEXT: s_cbranch_scc0
// ASM: s_ttracedata
// CHECK-NOT: v_cndmask
// CHECK-NOT: v_cmp
// CHECK-NOT: v_readlane
// CHECK: s_endpgm

#include "markers.hpp"
extern "C" __global__ void k(int *p, int n) {
  sqtt_marker_enter("a");
  p[0] = n;
  if (n > 3) sqtt_marker_point("b");
  p[1] = 2;
  sqtt_marker_exit("a");
}
