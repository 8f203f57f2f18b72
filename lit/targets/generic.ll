; Generic cpus are in the table.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK-LABEL: @k(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK-LABEL: @l(
; CHECK: "s_mov_b32 m0, 0x6\0A\09s_nop 0\0A\09s_ttracedata"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
define amdgpu_kernel void @l() #1 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #1 = { "target-cpu"="gfx9-generic" }
attributes #0 = { "target-cpu"="gfx11-generic" }
