; What was in llvm.used stays there.
; RUN: %O0 %s | %FileCheck %s
; RUN: %O1 %s | %FileCheck %s
; RUN: %O2 %s | %FileCheck %s
; RUN: %O3 %s | %FileCheck %s
; RUN: %phases %s | %FileCheck %s

; CHECK: @llvm.used = appending addrspace(1) global [3 x ptr] [ptr addrspacecast (ptr addrspace(1) @kept to ptr), ptr addrspacecast (ptr addrspace(1) @.sqtt_func_id_map.{{[0-9a-f]+}} to ptr), ptr addrspacecast (ptr addrspace(1) @.sqtt_config_record.{{[0-9a-f]+}} to ptr)], section "llvm.metadata"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

@kept = internal addrspace(1) global i32 5
@llvm.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @kept to ptr)], section "llvm.metadata"
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
