; Named markers for gfx90: one error that says what is supported, instead of an undefined symbol at link.
; RUN: not %O0 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O1 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O2 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O3 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:

; CHECK: error: sqtt: function k has named markers, but its target-cpu is "gfx90"; markers are built for gfx900 to gfx950, gfx1010 to

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx90" }
