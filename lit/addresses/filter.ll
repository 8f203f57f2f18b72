; With a filter the whole block stands behind one compare and branch, waits included, in both forms of the filter. The
; last boundary is no instruction and stands behind the block.
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=1 SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s

; CHECK-NOT: sched.barrier
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %[[SCOPE:.*]] = call i32 asm sideeffect "", "=s,0"
; CHECK: %[[HERE:.*]] = icmp ugt i32 %[[SCOPE]], 1
; CHECK-NEXT: br i1 %[[HERE]], label %sqtt.trace, label %sqtt.skip
; CHECK: sqtt.trace:
; CHECK: fence syncscope("workgroup") acq_rel
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x4
; CHECK: sqtt.lanes:
; CHECK: sqtt.lanes.done:
; CHECK-NEXT: br label %sqtt.skip
; CHECK: sqtt.skip:
; CHECK-NEXT: fence syncscope("singlethread") acq_rel
; CHECK-NEXT: load i32, ptr addrspace(1) %p
; CHECK-NEXT: icmp ugt i32 %[[SCOPE]], 2
; CHECK-NOT: sched.barrier

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  %v = load i32, ptr addrspace(1) %p
  store i32 %v, ptr addrspace(1) %q
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
