; Names in global memory, in constants and in local variables, as other front ends spell them.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: c"K:k\0AU:1:g\0AP:2:c\0AP:3:unnamed marker at function k\0AR:3:extra_payload_count=1\0A\00"
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK: "s_ttracedata_imm 0x8"
; CHECK: "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, 0x7
; CHECK: "s_ttracedata_imm 0x1"

target datalayout = "A5"
target triple = "amdgcn-amd-amdhsa"
@g = private unnamed_addr addrspace(1) constant [2 x i8] c"g\00"
@c = private unnamed_addr addrspace(4) constant [2 x i8] c"c\00"
declare void @__sqtt_named_marker_enter(ptr addrspace(1))
declare void @__sqtt_named_marker_exit(ptr addrspace(1))
declare void @sqtt_marker_point(ptr addrspace(4))
declare void @sqtt_marker_data(ptr addrspace(5), i32)
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %name = alloca [2 x i8], addrspace(5)
  call void @__sqtt_named_marker_enter(ptr addrspace(1) @g)
  store i32 1, ptr addrspace(1) %p
  call void @sqtt_marker_point(ptr addrspace(4) @c)
  store i32 2, ptr addrspace(1) %p
  call void @sqtt_marker_data(ptr addrspace(5) %name, i32 7)
  store i32 3, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspace(1) @g)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
