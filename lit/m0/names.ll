; How M0 may be named: in the text of an asm, as an operand or clobber of one, in the module's own assembly, as a variable;
; in another function than the marker's. Longer words are other names.
; RUN: sed 's/TEXT/s_mov_b32 m0, 7/; s/OPERANDS//' %s | %late - | %FileCheck %s --check-prefix=KEPT
; RUN: sed 's/TEXT/s_mov_b32 M0,7/; s/OPERANDS//' %s | %late - | %FileCheck %s --check-prefix=KEPT
; RUN: sed 's/TEXT//; s/OPERANDS/~{m0}/' %s | %late - | %FileCheck %s --check-prefix=KEPT
; RUN: sed 's/TEXT/prepare/; s/OPERANDS//; s/MODULE/.macro prepare\\0As_mov_b32 m0, 7\\0A.endm/' %s | %late - | %FileCheck %s --check-prefix=KEPT
; RUN: sed 's/TEXT//; s/OPERANDS//; s/!other/!llvm.named.register.m0/' %s | %late - | %FileCheck %s --check-prefix=KEPT
; RUN: sed 's/TEXT/s_mov_b32 s4, m0_size/; s/OPERANDS/~{vm0}/; s/MODULE/.set item0, m01/' %s | %late - | %FileCheck %s --check-prefix=FREE
; RUN: sed 's/TEXT/s_mov_b32 s4, 7/; s/OPERANDS/~{s4}/' %s | %late - | %FileCheck %s --check-prefix=FREE

; What LLVM itself does through M0 is LLVM's: it sets M0 anew.
; KEPT-LABEL: define amdgpu_kernel void @k(
; KEPT: asm sideeffect "s_mov_b32 $0, m0\0A\09s_mov_b32 m0, 0x190\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $0\0A\09s_nop 3", "=&s"()
; FREE-LABEL: define amdgpu_kernel void @k(
; FREE: asm sideeffect "s_mov_b32 m0, 0x190\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()

target triple = "amdgcn-amd-amdhsa"
module asm "MODULE"
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.s.sendmsg(i32, i32)
define void @other() #0 {
  call void asm sideeffect "TEXT", "OPERANDS"()
  ret void
}
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
!other = !{!0}
!0 = !{!"m0"}
