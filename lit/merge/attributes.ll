; The early form is convergent and nomerge, the users' own calls become so, and the final form is.
; RUN: %early %s | %FileCheck %s --check-prefix=EARLY
; RUN: %phases %s | %FileCheck %s --check-prefix=LATE

; EARLY-LABEL: define amdgpu_kernel void @k(
; EARLY: call void @llvm.amdgcn.s.ttracedata(i32 ptrtoint (ptr addrspace(6) @sqtt.marker.0.point to i32)) #[[OURS:[0-9]+]]
; EARLY: call void @llvm.amdgcn.s.ttracedata(i32 4) #[[USERS:[0-9]+]]
; EARLY: call void @llvm.amdgcn.s.ttracedata.imm(i16 4) #[[USERS]]
; EARLY-DAG: attributes #[[OURS]] = { convergent nomerge nounwind "call-inline-cost"="0" "sqtt.marker"="header" }
; EARLY-DAG: attributes #[[USERS]] = { convergent nomerge nounwind "call-inline-cost"="0" }
; LATE-LABEL: define amdgpu_kernel void @k(
; LATE: asm sideeffect "s_ttracedata_imm 0x8", ""() #[[MARKER:[0-9]+]]
; LATE: asm sideeffect "s_mov_b32 m0, 0x4\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"() #[[MARKER]]
; LATE: asm sideeffect "s_ttracedata_imm 0x4", ""() #[[MARKER]]
; LATE: attributes #[[MARKER]] = { convergent nomerge nounwind memory(inaccessiblemem: readwrite) "call-inline-cost"="0" }

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
