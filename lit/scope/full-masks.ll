; Masks with every bit, however spelled, are no filter: nothing is read and nothing branches.
; RUN: env SQTT_SCOPE_CU=0xFFFF SQTT_SCOPE_SIMD=0xF SQTT_SCOPE_WAVE=4294967295 SQTT_SCOPE_WG=-1 %late %s | %FileCheck %s
; RUN: env SQTT_SCOPE_CU=-1 SQTT_SCOPE_SIMD=-1 SQTT_SCOPE_WAVE=off SQTT_SCOPE_WG=none %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call i16 asm sideeffect "s_mov_b32 m0, 0x4\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.ttracedata(i32)
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
