; A wrapper that is called by musttail is not inlined, which would lose the guarantee.
; RUN: %phases %s 2>/dev/null | %FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: ttracedata
; CHECK: musttail call void @wrapper(
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define void @wrapper(ptr %name) #1 {
  call void @__sqtt_named_marker_point(ptr %name)
  ret void
}
define void @f(ptr %unused) #1 {
  musttail call void @wrapper(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 { ret void }
attributes #1 = { "target-cpu"="gfx1100" }
attributes #0 = { "target-cpu"="gfx1100" }
