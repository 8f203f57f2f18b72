; A module that goes through a whole pipeline twice has its markers and its map once.
; RUN: %O0 %s | %O0 - | %FileCheck %s %only
; RUN: %O1 %s | %O1 - | %FileCheck %s %only
; RUN: %O2 %s | %O2 - | %FileCheck %s %only
; RUN: %O3 %s | %O3 - | %FileCheck %s %only

; CHECK: c"K:k\0AU:1:a\0AU:2:b\0AP:3:b\0AR:3:extra_payload_count=1\0A\00", section ".sqtt_funcmap", align 1
; CHECK: @llvm.used = appending addrspace(1) global [2 x ptr]
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK: "s_ttracedata_imm 0xb"
; CHECK: "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, $1
; CHECK: "s_ttracedata_imm 0x1"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store i32 0, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @b to ptr), i32 %v)
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
