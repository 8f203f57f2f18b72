; A musttail call has to stand directly before its return: the scope is left before the call, which takes the frame over.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late %s | %FileCheck %s

; CHECK-LABEL: define void @jumps(
; CHECK: "s_ttracedata_imm 0xa"
; CHECK: "s_ttracedata_imm 0x1"
; CHECK-NEXT: sched.barrier
; CHECK-NOT: asm
; CHECK: musttail call void @target(i32 %n)
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
define void @target(i32 %n) #0 {
  store volatile i32 %n, ptr addrspace(1) null
  ret void
}
define void @jumps(i32 %n) #0 {
  store volatile i32 %n, ptr addrspace(1) null
  musttail call void @target(i32 %n)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
