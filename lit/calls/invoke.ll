; An invoke of a sentinel becomes a marker and a branch.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, $1
; CHECK: store i32 0

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
declare i32 @personality(...)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 personality ptr @personality {
  invoke void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %v) to label %next unwind label %lost
next:
  store i32 0, ptr addrspace(1) %p
  ret void
lost:
  %l = landingpad { ptr, i32 } cleanup
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
