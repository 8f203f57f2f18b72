; A kernel for an unknown cpu that has no markers compiles.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: c"K:k\0A\00"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k() #0 { ret void }
attributes #0 = { "target-cpu"="gfx803" }
