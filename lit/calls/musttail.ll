; A musttail call of a sentinel: the marker, then the return.
; RUN: %O0 %s 2>/dev/null | %FileCheck %s %only
; RUN: %O1 %s 2>/dev/null | %FileCheck %s %only
; RUN: %O2 %s 2>/dev/null | %FileCheck %s %only
; RUN: %O3 %s 2>/dev/null | %FileCheck %s %only

; CHECK: U:1:unnamed marker at function f
; CHECK-LABEL: define {{.*}}void @f(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define void @f(ptr %name) #0 {
  musttail call void @__sqtt_named_marker_enter(ptr %name)
  ret void
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 { ret void }
attributes #0 = { "target-cpu"="gfx1100" }
