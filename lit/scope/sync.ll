; REQUIRES: llvm22
; A marker beside a workgroup sync takes the asm form whatever the setting, pinned on both sides: nothing may come
; between. Barriers, their halves, fences; before and after; a group as one.
; RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s --implicit-check-not=sqtt.trace:

; CHECK-LABEL: define amdgpu_kernel void @around_barrier(
; CHECK: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "s_bitcmp1_b32
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "s_bitcmp1_b32
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-LABEL: define amdgpu_kernel void @before_fence(
; CHECK: asm sideeffect "s_bitcmp1_b32
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-LABEL: define amdgpu_kernel void @two_before_split(
; CHECK: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "s_bitcmp1_b32{{.*}}s_ttracedata_imm 0x6\0A\09s_ttracedata_imm 0x8\0A.Lsqtt_skip
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
define amdgpu_kernel void @around_barrier() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.barrier()
  call void @__sqtt_named_marker_exit(ptr null)
  ret void
}
define amdgpu_kernel void @before_fence() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define amdgpu_kernel void @two_before_split() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
