// Where asm of the program names M0, every marker that writes M0 leaves it as it was, with the wait behind that whoever
// reads M0 needs: named and numeric markers, payloads, points, functions, in both forms of the filter and without one. What
// does not write M0 saves nothing.
// RUN: %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=GFX9 --implicit-check-not='s_mov_b32 m0'
// RUN: env SQTT_SCOPE_CU=3 %hip{O2} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --check-prefixes=GFX9 --implicit-check-not='s_mov_b32 m0'
// RUN: env SQTT_SCOPE_CU=3 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=GFX9 --implicit-check-not='s_mov_b32 m0'
// RUN: %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=GFX10 --implicit-check-not='s_mov_b32 m0'
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence %hip{O3} --offload-arch=gfx1030 -S %s -o - | %FileCheck %s --check-prefixes=GFX10 --implicit-check-not='s_mov_b32 m0'
// RUN: env SQTT_SCOPE_CU=3 %hip{O1} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s --check-prefixes=GFX10 --implicit-check-not='s_mov_b32 m0'
// RUN: env SQTT_SCOPE_CU=3 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=IR

// GFX9-LABEL: {{^}}k:
// GFX9: s_mov_b32 m0, [[USER:s[0-9]+]]
// GFX9: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX9-NEXT: s_mov_b32 m0, 0x6
// GFX9-NEXT: s_nop 0
// GFX9-NEXT: s_ttracedata
// GFX9-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX9-NEXT: s_nop 0
// GFX9: buffer_load
// Header and payload are one.
// GFX9: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX9-NEXT: s_mov_b32 m0, 0x8
// GFX9-NEXT: s_nop 0
// GFX9-NEXT: s_ttracedata
// GFX9-NEXT: s_mov_b32 m0, 0x2a
// GFX9-NEXT: s_nop 0
// GFX9-NEXT: s_ttracedata
// GFX9-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX9-NEXT: s_nop 0
// GFX9: s_add_u32 m0
// GFX9: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX9-NEXT: s_mov_b32 m0, 0x640
// GFX9-NEXT: s_nop 0
// GFX9-NEXT: s_ttracedata
// GFX9-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX9-NEXT: s_nop 0
// GFX9: s_mov_b32 {{s[0-9]+}}, m0
// GFX9: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX9-NEXT: s_mov_b32 m0, 0x1
// GFX9-NEXT: s_nop 0
// GFX9-NEXT: s_ttracedata
// GFX9-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX9-NEXT: s_nop 0
// GFX9: s_endpgm

// GFX10-LABEL: {{^}}k:
// GFX10: s_mov_b32 m0, [[USER:s[0-9]+]]
// GFX10-NOT: m0
// GFX10: s_ttracedata_imm 0x6
// GFX10-NOT: m0
// GFX10: buffer_load
// GFX10: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX10-NEXT: s_ttracedata_imm 0x8
// GFX10-NEXT: s_mov_b32 m0, 0x2a
// GFX10-NEXT: s_nop 3
// GFX10-NEXT: s_ttracedata
// GFX10-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX10-NEXT: s_nop 3
// GFX10: s_add_u32 m0
// GFX10: s_mov_b32 [[KEPT:s[0-9]+]], m0
// GFX10-NEXT: s_mov_b32 m0, 0x640
// GFX10-NEXT: s_nop 3
// GFX10-NEXT: s_ttracedata
// GFX10-NEXT: s_mov_b32 m0, [[KEPT]]
// GFX10-NEXT: s_nop 3
// GFX10: s_mov_b32 {{s[0-9]+}}, m0
// GFX10-NOT: m0
// GFX10: s_ttracedata_imm 0x1
// GFX10: s_endpgm

// M0 is no output then: to LLVM the asm leaves it alone.
// IR: asm sideeffect "s_bitcmp1_b32 0x3, $1\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x6\0A.Lsqtt_skip${:uid}:", "={scc},s"(
// IR: asm sideeffect "s_bitcmp1_b32 0x3, $2\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_mov_b32 $0, m0\0A\09s_ttracedata_imm 0x8\0A\09s_mov_b32 m0, 0x2a\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $0\0A\09s_nop 3\0A.Lsqtt_skip${:uid}:", "=&s,={scc},s"(

#include "markers.hpp"
extern "C" __global__ void k(unsigned *p, unsigned v) {
  asm volatile("s_mov_b32 m0, %0" ::"s"(__builtin_amdgcn_readfirstlane(v)) : "memory");
  sqtt_marker_enter("copy");
  asm volatile("; buffer_load … lds" ::: "memory");
  sqtt_marker_data("bytes", 42);
  asm volatile("s_add_u32 m0, m0, %0" ::"s"(__builtin_amdgcn_readfirstlane(v)) : "memory", "scc");
  sqtt_marker_point(400);
  unsigned left;
  asm volatile("s_mov_b32 %0, m0" : "=s"(left)::"memory");
  sqtt_marker_exit("copy");
  p[0] = left;
}
