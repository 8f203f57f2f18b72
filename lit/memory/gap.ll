; M counts the instructions between two operations: two are within 2:2 and not within 2:1. Debug information, lifetimes,
; hints and markers are none, whoever wrote them. Operations that do not count are instructions.
; RUN: env SQTT_INSTRUMENT_MEMORY=2:2 %late %s | %FileCheck %s --check-prefixes=CHECK,WITHIN
; RUN: env SQTT_INSTRUMENT_MEMORY=2:1 %late %s | %FileCheck %s --check-prefixes=CHECK,APART
; RUN: env SQTT_INSTRUMENT_MEMORY=2:0 %late %s | %FileCheck %s --check-prefixes=CHECK,APART

; CHECK-LABEL: @two_between(
; CHECK-NEXT: %a = load
; APART-NEXT: sched.barrier
; APART-NEXT: "s_ttracedata_imm 0x4"
; APART-NEXT: sched.barrier
; CHECK-NEXT: %x = add
; CHECK-NEXT: %l = load i32, ptr addrspace(3)
; CHECK-NEXT: %b = load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: @nothing_between(
; CHECK-NEXT: %a = load
; CHECK-NOT: 0x4
; CHECK: %b = load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK: ret void
; WITHIN-LABEL: @three_between(
; WITHIN-NEXT: %a = load
; WITHIN-NEXT: sched.barrier
; WITHIN-NEXT: "s_ttracedata_imm 0x4"

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.sched.barrier(i32)
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
declare void @__sqtt_named_marker_point(ptr)
@name = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
define amdgpu_kernel void @two_between(ptr addrspace(1) %p, ptr addrspace(3) %q) #0 {
  %a = load i32, ptr addrspace(1) %p
  %x = add i32 %a, 1
  %l = load i32, ptr addrspace(3) %q
  %b = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @nothing_between(ptr addrspace(1) %p) #0 {
  %a = load i32, ptr addrspace(1) %p
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void asm sideeffect "", ""()
  call void @llvm.amdgcn.s.ttracedata.imm(i16 160)
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  call void @llvm.amdgcn.sched.barrier(i32 0)
  %b = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @three_between(ptr addrspace(1) %p) #0 {
  %a = load i32, ptr addrspace(1) %p
  %x = add i32 %a, 1
  %y = add i32 %x, 1
  %z = add i32 %y, 1
  %b = load i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
