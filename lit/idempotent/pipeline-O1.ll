; Both phases over what the -O1 pipeline left change nothing.
; RUN: %O1 %s -o %t.1.ll
; RUN: %phases %t.1.ll -o %t.2.ll
; RUN: sed -e '/ModuleID/d' -e '/^source_filename/d' %t.1.ll > %t.1
; RUN: sed -e '/ModuleID/d' -e '/^source_filename/d' %t.2.ll > %t.2
; RUN: diff %t.1 %t.2
; RUN: %FileCheck %s --input-file=%t.2.ll

; CHECK: {{ttracedata}}

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define void @wrapper(ptr %name) #1 {
  call void @__sqtt_named_marker_enter(ptr %name)
  call void @__sqtt_named_marker_exit(ptr %name)
  ret void
}
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store i32 0, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @b to ptr), i32 %v)
  call void @llvm.amdgcn.s.ttracedata(i32 40)
  call void @wrapper(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { "target-cpu"="gfx1100" }
