; Bisecting the optimizer does not leave sentinels behind: the phases are required.
; RUN: %O1 -opt-bisect-limit=0 %s 2>/dev/null | %FileCheck %s %only
; RUN: %O2 -opt-bisect-limit=0 %s 2>/dev/null | %FileCheck %s %only
; RUN: %O3 -opt-bisect-limit=0 %s 2>/dev/null | %FileCheck %s %only

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
