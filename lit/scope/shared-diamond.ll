; Markers with nothing but hints and debug information between them share one branch; code between them parts them. No
; sched_barrier is written where the branch orders.
; RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s --implicit-check-not='sqtt.trace{{[0-9]*}}:' --implicit-check-not='@llvm.amdgcn.sched.barrier(i32 0)'

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: icmp ugt i32 %sqtt.scope, 1
; CHECK: sqtt.trace:
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x6"
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x8"
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: br label %sqtt.skip
; CHECK: sqtt.skip:
; CHECK: store i32 1
; CHECK: icmp ugt i32 %sqtt.scope, 2
; CHECK: sqtt.trace{{[0-9]+}}:
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x1"
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.sched.group.barrier(i32, i32, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.sched.group.barrier(i32 1, i32 1, i32 0)
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr null)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
