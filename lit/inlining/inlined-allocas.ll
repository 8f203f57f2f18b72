; Allocas of an inlined wrapper move to the entry block of its caller, where they are static.
; RUN: %phases %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: entry:
; CHECK-NEXT: %{{.*}} = alloca i32
; CHECK: yes:
; CHECK-NOT: alloca
; CHECK: "s_ttracedata_imm 0x4"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define void @wrapper(ptr %name) #1 {
  %x = alloca i32, align 4, addrspace(5)
  store volatile i32 1, ptr addrspace(5) %x
  call void @__sqtt_named_marker_point(ptr %name)
  ret void
}
define amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c) #0 {
entry:
  br i1 %c, label %yes, label %no
yes:
  call void @wrapper(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  br label %no
no:
  ret void
}
attributes #1 = { "target-cpu"="gfx1100" }
attributes #0 = { "target-cpu"="gfx1100" }
