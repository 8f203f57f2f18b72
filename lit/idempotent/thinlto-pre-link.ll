; The thinlto-pre-link pipelines fire several extension points: one set of markers, one map.
; RUN: %opt -passes='thinlto-pre-link<O0>' -S %s | %FileCheck %s %only
; RUN: %opt -passes='thinlto-pre-link<O1>' -S %s | %FileCheck %s %only
; RUN: %opt -passes='thinlto-pre-link<O2>' -S %s | %FileCheck %s %only
; RUN: %opt -passes='thinlto-pre-link<O3>' -S %s | %FileCheck %s %only

; CHECK: c"K:k\0AU:1:a\0A\00", section ".sqtt_funcmap", align 1
; CHECK: @llvm.used = appending addrspace(1) global [2 x ptr]
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK: "s_ttracedata_imm 0x1"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store i32 0, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
