; The asm form tests, branches over and traces in one asm that declares SCC and M0, and splits no block. Without a
; branch to hold it in place it stands between two scheduling barriers.
; RUN: env SQTT_SCOPE_CU=1 %late %s | %FileCheck %s --implicit-check-not=sqtt.trace: --implicit-check-not='br '

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %[[CU:[0-9]+]] = call i32 @llvm.amdgcn.s.getreg(i32 6807)
; CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call i1 asm sideeffect "s_bitcmp1_b32 0x1, $1\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x6\0A.Lsqtt_skip${:uid}:", "={scc},s"(i32 %[[CU]])
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: store i32 1
; CHECK-NEXT: %[[LANE:.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %v)
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call { i16, i1 } asm sideeffect "s_bitcmp1_b32 0x1, $2\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x8\0A\09s_mov_b32 m0, $3\0A\09s_nop 3\0A\09s_ttracedata\0A.Lsqtt_skip${:uid}:", "={m0},={scc},s,s"(i32 %[[CU]], i32 %[[LANE]])

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
