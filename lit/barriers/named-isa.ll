; REQUIRES: llvm22
; The final code of named barriers: membership and arrival with their points right behind them.
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_MEM_BARRIER=fence SQTT_SCOPE_CU=1 %O2 %s -o - | %llc -O2 -o - | %FileCheck %s
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_MEM_BARRIER=none SQTT_SCOPE_CU=1 %O0 %s -o - | %llc -O0 -o - | %FileCheck %s

; CHECK-LABEL: {{^}}k:
; CHECK: {{^[[:space:]]}}s_barrier_join
; CHECK-NOT: {{^[[:space:]]+(v|ds|global|flat|buffer|s_(add|mul|load))_}}
; CHECK: s_ttracedata_imm 0xc
; CHECK: {{^[[:space:]]}}s_barrier_signal
; CHECK-NOT: {{^[[:space:]]+(v|ds|global|flat|buffer|s_(add|mul|load))_}}
; CHECK: s_ttracedata_imm 0x4
; CHECK: s_ttracedata_imm 0x8
; CHECK-NOT: {{^[[:space:]]+(v|ds|global|flat|buffer|s_(add|mul|load))_}}
; CHECK: {{^[[:space:]]}}s_barrier_wait 1
; CHECK: {{^[[:space:]]}}s_barrier_leave
; CHECK-NOT: {{^[[:space:]]+(v|ds|global|flat|buffer|s_(add|mul|load))_}}
; CHECK: s_ttracedata_imm 0x10
; CHECK: s_endpgm

target triple = "amdgcn-amd-amdhsa"
@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.s.barrier.leave(i16)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  store volatile i32 %n, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  store volatile i32 2, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  call void @llvm.amdgcn.s.barrier.leave(i16 1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1250" }
