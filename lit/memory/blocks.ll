; A sequence ends with its block. The point at its end stands before the terminator; numbers follow those of barriers.
; RUN: env SQTT_INSTRUMENT_MEMORY=4:100 SQTT_INSTRUMENT_BARRIERS=1 %late %s | %FileCheck %s
; RUN: env SQTT_INSTRUMENT_MEMORY=4:100 SQTT_INSTRUMENT_BARRIERS=1 %late %s -o %t.ll
; RUN: env SQTT_INSTRUMENT_MEMORY=4:100 SQTT_INSTRUMENT_BARRIERS=1 %late %t.ll | %plainopt -S -o %t.again.ll
; RUN: grep -c '"s_ttracedata' %t.again.ll | %FileCheck %s --check-prefix=COUNT

; CHECK: c"K:k\0AP:1:barrier\0AP:2:vmem_load\0AP:3:vmem_store\0A\00"
; CHECK-LABEL: @k(
; CHECK: load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: br i1 %c
; CHECK: yes:
; CHECK-NEXT: %b = load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: store
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0xc"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; COUNT: {{^}}4{{$}}

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c) #0 {
  %a = load i32, ptr addrspace(1) %p
  br i1 %c, label %yes, label %no
yes:
  %b = load i32, ptr addrspace(1) %p
  store i32 %b, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  br label %no
no:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
