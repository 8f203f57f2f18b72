; In the asm form, markers with nothing between them share one asm: one test leads past all of them.
; RUN: env SQTT_SCOPE_CU=1 %late %s | %FileCheck %s --implicit-check-not='asm sideeffect "s_'

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: %[[CU:[0-9]+]] = call i32 @llvm.amdgcn.s.getreg(i32 6807)
; CHECK: call { i16, i1 } asm sideeffect "s_bitcmp1_b32 0x1, $2\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0xa\0A\09s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, $3\0A\09s_nop 3\0A\09s_ttracedata\0A.Lsqtt_skip${:uid}:", "={m0},={scc},s,s"(
; CHECK: store i32 1

; Words that are chosen at run time are in registers all at once: not more than four in one asm.
; CHECK-LABEL: define amdgpu_kernel void @many(
; CHECK-COUNT-4: readfirstlane
; CHECK: call { i16, i1 } asm sideeffect "s_bitcmp1_b32 0x1, $2{{.*}}$3{{.*}}$6{{.*}}", "={m0},={scc},s,s,s,s,s"(
; CHECK: call { i16, i1 } asm sideeffect "s_bitcmp1_b32 0x1, $2{{.*}}$3{{.*}}", "={m0},={scc},s,s"(

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @many(i32 %v, i32 %w, i32 %x, i32 %y, i32 %z) #0 {
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %w)
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %x)
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %y)
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %z)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
