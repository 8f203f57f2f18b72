; A callbr of a sentinel is an error, not a crash.
; RUN: not %plainopt -load-pass-plugin=%plugin -disable-verify -passes=sqtt-early,sqtt-late -S %s -o /dev/null 2>&1 | %FileCheck %s

; CHECK: error: {{.*}}callbr

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  callbr void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr)) to label %next []
next:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
