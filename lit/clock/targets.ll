; Targets whose markers carry no clock: a warning, and plain words. A module with both kinds of functions would have two
; layouts: an error. So is a module whose earlier markers have another layout.
; RUN: sed 's/FIRST/gfx1100/; s/SECOND/gfx942/' %s > %t.without.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %t.without.ll 2>&1 | %FileCheck %s --check-prefix=WITHOUT
; RUN: sed 's/FIRST/gfx1201/; s/SECOND/gfx1100/' %s > %t.mixed.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 not %late %t.mixed.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=MIXED
; RUN: sed 's/FIRST/gfx1201/; s/SECOND/gfx1201/; s/^;BEFORE//' %s > %t.before.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 not %late %t.before.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BEFORE
; RUN: sed 's/FIRST/gfx1201/; s/SECOND/gfx1201/' %s > %t.both.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %t.both.ll -o %t.done.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %t.done.ll -o %t.twice.ll
; RUN: grep -v ModuleID %t.done.ll > %t.1
; RUN: grep -v ModuleID %t.twice.ll | diff %t.1 -

; WITHOUT: warning: sqtt: SQTT_SHADER_CLOCK_BITS=12 has no effect on gfx1100: the markers of gfx12 alone carry a shader clock
; WITHOUT-NOT: warning
; WITHOUT: c"K:k\0AK:l\0AU:1:a\0A\00"
; WITHOUT: "s_ttracedata_imm 0x6"
; WITHOUT: "s_mov_b32 m0, 0x6\0A\09s_nop 0
; MIXED: error: sqtt: SQTT_SHADER_CLOCK_BITS=12: function l is for gfx1100, whose markers carry no shader clock, and others of the module are not; accepted: modules for gfx12 alone
; BEFORE: error: sqtt: the module has markers already, with no shader clock, and new ones would have 12 bits of the shader clock from bit 4 on; compile all of it with the same SQTT_SHADER_CLOCK_BITS and SQTT_SHADER_CLOCK_SHIFT

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
;BEFORE@map = internal addrspace(1) constant [8 x i8] c"U:1:old\00", section ".sqtt_funcmap"
declare void @__sqtt_named_marker_enter(ptr)
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
define amdgpu_kernel void @l() #1 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="FIRST" }
attributes #1 = { "target-cpu"="SECOND" }
