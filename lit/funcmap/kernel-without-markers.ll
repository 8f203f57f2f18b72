; A module with a kernel has a map, with or without markers: its K: row.
; RUN: %O0 %s | %FileCheck %s
; RUN: %O1 %s | %FileCheck %s
; RUN: %O2 %s | %FileCheck %s
; RUN: %O3 %s | %FileCheck %s
; RUN: %phases %s | %FileCheck %s

; CHECK: @.sqtt_func_id_map.{{[0-9a-f]+}} = protected addrspace(1) constant [18 x i8] c"K:first\0AK:second\0A\00", section ".sqtt_funcmap", align 1
; CHECK: @llvm.used = appending addrspace(1) global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @.sqtt_func_id_map.{{[0-9a-f]+}} to ptr), ptr addrspacecast (ptr addrspace(1) @.sqtt_config_record.{{[0-9a-f]+}} to ptr)], section "llvm.metadata"

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @first() #0 { ret void }
define amdgpu_kernel void @second() #0 { ret void }
define void @function() #0 { ret void }
attributes #0 = { "target-cpu"="gfx1100" }
