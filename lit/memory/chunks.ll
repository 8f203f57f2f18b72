; The specification's example, N=2 and M=5: load load store load load load. A change of kind ends a sequence, what is left
; has its own point, and each point stands right behind the last operation of its chunk.
; RUN: env SQTT_INSTRUMENT_MEMORY=2:5 %late %s | %FileCheck %s --check-prefixes=CHECK,TWO
; RUN: env SQTT_INSTRUMENT_MEMORY=4:5 %late %s | %FileCheck %s --check-prefixes=CHECK
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s --check-prefixes=CHECK,ONE

; CHECK: c"K:k\0AP:1:vmem_load\0AP:2:vmem_store\0A\00"
; CHECK-LABEL: @k(
; CHECK-NEXT: %a = load
; ONE-NEXT: sched.barrier
; ONE-NEXT: "s_ttracedata_imm 0x4"
; ONE-NEXT: sched.barrier
; CHECK-NEXT: %b = load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: store
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: %c = load
; ONE-NEXT: sched.barrier
; ONE-NEXT: "s_ttracedata_imm 0x4"
; ONE-NEXT: sched.barrier
; CHECK-NEXT: %d = load
; TWO-NEXT: sched.barrier
; TWO-NEXT: "s_ttracedata_imm 0x4"
; TWO-NEXT: sched.barrier
; ONE-NEXT: sched.barrier
; ONE-NEXT: "s_ttracedata_imm 0x4"
; ONE-NEXT: sched.barrier
; CHECK-NEXT: %e = load
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %p
  store i32 %a, ptr addrspace(1) %p
  %c = load i32, ptr addrspace(1) %p
  %d = load i32, ptr addrspace(1) %p
  %e = load i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
