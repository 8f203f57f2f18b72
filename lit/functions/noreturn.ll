; A function that never returns has its enter and no exit.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: "s_ttracedata_imm 0x6"
; CHECK: call void @llvm.trap()

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define void @f(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 1, ptr addrspace(1) %p
  call void @llvm.trap()
  unreachable
}
attributes #0 = { "target-cpu"="gfx1100" }
