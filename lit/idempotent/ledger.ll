; The ledger is in the module between the phases, and gone after the late one.
; RUN: %early %s | %FileCheck %s --check-prefix=EARLY
; RUN: %phases %s | %FileCheck %s --check-prefix=LATE --implicit-check-not=sqtt.markers --implicit-check-not=@sqtt.marker

; EARLY: @sqtt.marker.0.enter = external addrspace(6) constant i8
; EARLY: !sqtt.markers.early = !{![[USER:[0-9]+]], ![[DATA:[0-9]+]]}
; EARLY-DAG: ![[USER]] = !{!"user", !"a", !"", i32 0, i32 0, i32 0}
; EARLY-DAG: ![[DATA]] = !{!"data", !"b", !"", i32 0, i32 1, i32 0}
; LATE: c"K:k\0AU:1:a\0AP:2:b\0AR:2:extra_payload_count=1\0A\00"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @b to ptr), i32 %v)
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
