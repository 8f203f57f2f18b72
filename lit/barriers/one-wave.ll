; In a workgroup of one wave LLVM drops the barrier instruction. Its point stays: the wave came by the source's barrier.
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 %O2 %s -o - | %llc -o - | %FileCheck %s

; CHECK-LABEL: {{^}}k:
; CHECK-NOT: {{^[[:space:]]}}s_barrier
; CHECK: s_ttracedata_imm 0x4
; CHECK-NOT: {{^[[:space:]]}}s_barrier
; CHECK: s_endpgm

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" "amdgpu-flat-work-group-size"="1,32" }
