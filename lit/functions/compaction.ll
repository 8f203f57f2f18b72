; With function markers, what the early phase made is numbered by how often it is emitted, ties by first appearance; the
; exit of a function is the word 1.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases %s | %FileCheck %s

; CHECK: c"F:3:f\0AU:2:rare\0AU:1:often\0A\00"

target triple = "amdgcn-amd-amdhsa"
@rare = private unnamed_addr addrspace(4) constant [5 x i8] c"rare\00"
@often = private unnamed_addr addrspace(4) constant [6 x i8] c"often\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
define void @f(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @rare to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr null)
  store i32 2, ptr addrspace(1) %p
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @often to ptr))
  store i32 3, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr null)
  store i32 4, ptr addrspace(1) %p
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @often to ptr))
  store i32 5, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr null)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
