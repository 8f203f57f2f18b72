; Markers in graphics shaders are markers; K: rows are for kernels alone.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: constant [13 x i8] c"U:1:a\0AU:2:b\0A\00"
; CHECK-LABEL: define amdgpu_cs void @cs()
; CHECK: "s_ttracedata_imm 0x6"
; CHECK-LABEL: define amdgpu_ps void @ps()
; CHECK: "s_ttracedata_imm 0xa"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_cs void @cs() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
define amdgpu_ps void @ps() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
