; Code that says with tokens which lanes go together: LLVM takes no convergent call without a token beside calls that have
; one, and none before the entry's. The tokens go when markers come.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %O0 %s | %FileCheck %s --check-prefix=O0
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_SCOPE_CU=3 %O0 %s | %llc -O0 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_SCOPE_CU=3 %O2 %s | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_SCOPE_CU=3 %O2 %s | %llc -O2 | %FileCheck %s --check-prefix=NAMED
; Without a marker they stay.
; RUN: sed 's/__sqtt_named_marker_point/elsewhere/' %s | %O0 | %FileCheck %s --check-prefix=STAY

; O0: c"F:2:f\0AK:k\0AP:1:a\0A\00"
; O0-LABEL: define i32 @f(
; O0: asm sideeffect "s_ttracedata_imm 0xa"
; O0: readfirstlane.i32(i32 %n){{$}}
; O0: asm sideeffect "s_ttracedata_imm 0x1"
; O0-NOT: convergence
; ISA-LABEL: {{^}}f:
; ISA: s_ttracedata_imm 0x
; ISA: s_ttracedata_imm 0x1
; ISA: s_setpc_b64
; NAMED-LABEL: {{^}}k:
; NAMED: s_ttracedata_imm 0x4
; STAY: call token @llvm.experimental.convergence.entry()

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_point(ptr) convergent
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
define i32 @f(i32 %n) #0 {
  %a = alloca i32, addrspace(5)
  %token = call token @llvm.experimental.convergence.entry()
  store volatile i32 %n, ptr addrspace(5) %a
  %v = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %n) [ "convergencectrl"(token %token) ]
  %r = mul i32 %v, 3
  ret i32 %r
}
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
  %token = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  %v = call i32 @f(i32 %i) [ "convergencectrl"(token %heart) ]
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr)) [ "convergencectrl"(token %heart) ]
  store volatile i32 %v, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %out
out:
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr)) [ "convergencectrl"(token %token) ]
  ret void
}
attributes #0 = { convergent "target-cpu"="gfx1100" }
