; The far side of a sync ends the scheduling region for everything: a scheduling barrier with a mask would let scalar
; loads through, which belong to none of its groups, and LLVM 19 would put one between marker and barrier.
; RUN: env SQTT_SCOPE_CU=-1 %opt -passes='sqtt-late,verify' %s | %llc -O2 -o - | %FileCheck %s
; RUN: env SQTT_SCOPE_CU=1 %opt -passes='sqtt-late,verify' %s | %llc -O2 -o - | %FileCheck %s
; RUN: env SQTT_SCOPE_CU=1 SQTT_MEM_BARRIER=fence %opt -passes='sqtt-late,verify' %s | %llc -O2 -o - | %FileCheck %s

; CHECK-LABEL: k:
; CHECK: s_ttracedata_imm 0x6
; CHECK-NOT: s_load
; CHECK: s_barrier
; CHECK: s_load

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(4) %c, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.barrier()
  %x = load i32, ptr addrspace(4) %c, !invariant.load !0
  %y = mul i32 %x, %v
  store i32 %y, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
!0 = !{}
