; The address of a sentinel in a table: one error, and no half-lowered module.
; RUN: not %O0 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O1 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O2 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: not %O3 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error --implicit-check-not=sqtt:

; CHECK: error: sqtt: variable table: the marker __sqtt_named_marker_point is used other than by a plain call; call it directly

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
@table = addrspace(1) constant ptr @__sqtt_named_marker_point
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))

  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
