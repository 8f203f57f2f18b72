; A naked function: no crash, the marker where it was written.
; RUN: %O0 %s | %FileCheck %s %only
; RUN: %O1 %s | %FileCheck %s %only
; RUN: %O2 %s | %FileCheck %s %only
; RUN: %O3 %s | %FileCheck %s %only
; RUN: %phases %s | %FileCheck %s %only

; CHECK: "s_ttracedata_imm 0x6"
; CHECK: s_setpc_b64

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)
define void @f() #1 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void asm sideeffect "s_setpc_b64 s[30:31]", ""()
  unreachable
}
attributes #1 = { naked noinline "target-cpu"="gfx1100" }
attributes #0 = { "target-cpu"="gfx1100" }
