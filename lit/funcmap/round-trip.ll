; The section, and llvm.used, survive bitcode.
; RUN: %O0 %s | %llvm-as | %llvm-dis | %FileCheck %s
; RUN: %O1 %s | %llvm-as | %llvm-dis | %FileCheck %s
; RUN: %O2 %s | %llvm-as | %llvm-dis | %FileCheck %s
; RUN: %O3 %s | %llvm-as | %llvm-dis | %FileCheck %s

; CHECK: c"K:k\0AP:1:a\0A\00", section ".sqtt_funcmap", align 1
; CHECK: @llvm.used = appending
; CHECK: "s_ttracedata_imm 0x4"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
