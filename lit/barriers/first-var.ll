; REQUIRES: llvm19
; The intrinsic that LLVM 19 has and later ones do not: a signal.
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 %late %s | %FileCheck %s

; CHECK: c"K:k\0AP:1:barrier_signal\0A\00"
; CHECK: call i1 @llvm.amdgcn.s.barrier.signal.isfirst.var(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst.var(i32)
define amdgpu_kernel void @k(i32 %n) #0 {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst.var(i32 %n)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
