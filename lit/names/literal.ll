; A literal becomes a marker with the first id, and a row of the map.
; RUN: %phases %s | %FileCheck %s %only --implicit-check-not=sqtt.marker

; CHECK: constant [14 x i8] c"K:k\0AU:1:load\0A\00", section ".sqtt_funcmap", align 1
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT:    call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT:    call void asm sideeffect "s_ttracedata_imm 0x6", ""() #[[MARKER:[0-9]+]]
; CHECK-NEXT:    call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT:    store i32 1
; CHECK-NEXT:    call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT:    call void asm sideeffect "s_ttracedata_imm 0x1", ""() #[[MARKER]]
; CHECK-NEXT:    call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT:    ret void
; CHECK: declare void @llvm.amdgcn.s.ttracedata(i32)
; CHECK: attributes #[[MARKER]] = { convergent nomerge nounwind memory(inaccessiblemem: readwrite) "call-inline-cost"="0" }

target triple = "amdgcn-amd-amdhsa"
@name = private unnamed_addr addrspace(4) constant [5 x i8] c"load\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)

define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  store i32 1, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @name to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
