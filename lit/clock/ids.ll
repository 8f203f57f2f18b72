; 28 bits of clock leave two for ids: three fit, four do not. Ids that a numeric marker looks like under the clock are left
; free: 0x28 >> 2 is 10, whose two low bits are 2.
; RUN: env SQTT_SHADER_CLOCK_BITS=28 %late %s | %FileCheck %s --check-prefix=THREE
; RUN: sed 's/^;NUMERIC//' %s > %t.numeric.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=28 not %late %t.numeric.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=NUMERIC
; RUN: env SQTT_SHADER_CLOCK_BITS=27 %late %t.numeric.ll | %FileCheck %s --check-prefix=FREE
; RUN: sed 's/^;FOUR//' %s > %t.four.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=28 not %late %t.four.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=FOUR

; THREE: U:1:a\0AU:2:b\0AU:3:c\0A\00"
; NUMERIC: error: sqtt: 3 markers, and ids up to 3 for them: SQTT_SHADER_CLOCK_BITS=28 leaves 2 bits; ask for fewer
; FREE: U:1:a\0AU:3:b\0AU:4:c\0A\00"
; FOUR: error: sqtt: 4 markers, and ids up to 3 for them: SQTT_SHADER_CLOCK_BITS=28 leaves 2 bits; ask for fewer

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
@c = private unnamed_addr addrspace(4) constant [2 x i8] c"c\00"
@d = private unnamed_addr addrspace(4) constant [2 x i8] c"d\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
define amdgpu_kernel void @k(i32 %n) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @c to ptr))
;FOUR  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @d to ptr))
;NUMERIC  call void @llvm.amdgcn.s.ttracedata(i32 40)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
