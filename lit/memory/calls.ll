; A call ends a sequence: what the function accesses comes in between, with a point of its own. Intrinsics and asm do not.
; RUN: env SQTT_INSTRUMENT_MEMORY=4:100 %late %s | %FileCheck %s

; CHECK-LABEL: @around_a_call(
; CHECK-NEXT: store i32 1
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @other
; CHECK-NEXT: store i32 2
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: @around_a_pointer(
; CHECK-NEXT: store i32 1
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void %f
; CHECK-NEXT: store i32 2
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: @around_others(
; CHECK-NEXT: store i32 1
; CHECK-NEXT: call i32 @llvm.amdgcn.workitem.id.x
; CHECK-NEXT: call void asm
; CHECK-NEXT: store i32 2
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare void @other()
declare i32 @llvm.amdgcn.workitem.id.x()
define void @around_a_call(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  call void @other()
  store i32 2, ptr addrspace(1) %p
  ret void
}
define void @around_a_pointer(ptr addrspace(1) %p, ptr %f) #0 {
  store i32 1, ptr addrspace(1) %p
  call void %f()
  store i32 2, ptr addrspace(1) %p
  ret void
}
define void @around_others(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  call void asm sideeffect "s_nop 0", ""()
  store i32 2, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
