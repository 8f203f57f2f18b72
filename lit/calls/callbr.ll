; callbr cannot call a function: LLVM only knows it for asm, and the plugin need not.
; RUN: %phases %s | %FileCheck %s %only

; CHECK: c"K:k\0A\00"
; CHECK: callbr void asm

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  callbr void asm "", "!i"() to label %next [label %other]
next:
  ret void
other:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
