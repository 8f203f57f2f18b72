; Allocas stay in the entry block: markers split no block.
; RUN: %phases %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK-DAG: alloca [4 x i32]
; CHECK-DAG: alloca i32
; CHECK-NOT: br
; CHECK: "s_ttracedata_imm 0x1"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %i) #0 {
entry:
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %x = alloca [4 x i32], align 4, addrspace(5)
  %e = getelementptr i32, ptr addrspace(5) %x, i32 %i
  store volatile i32 1, ptr addrspace(5) %e
  %y = alloca i32, align 4, addrspace(5)
  store volatile i32 1, ptr addrspace(5) %y
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
