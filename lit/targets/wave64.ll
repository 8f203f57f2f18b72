; A wave64 kernel on RDNA gets the same markers.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(i32 %v) #1 {
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v)
  ret void
}
attributes #1 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize64" }
attributes #0 = { "target-cpu"="gfx1100" }
