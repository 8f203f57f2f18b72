; Under a fence the waves that record wait for LDS behind the asm's branch; the fences beside the asm are those of a single
; thread, which are no instruction. Only where an operation of the function may be under way they wait: not in one with
; global memory alone, nor in one that calls one with LDS, nor before the first one, where the wait would be for the
; kernel's arguments.
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s --check-prefixes=CHECK,FENCE
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_MEM_BARRIER=none %late %s | %FileCheck %s --check-prefixes=CHECK,NONE --implicit-check-not=fence --implicit-check-not=s_wait
; RUN: env SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s --check-prefix=ALL --implicit-check-not=singlethread --implicit-check-not=s_wait
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_MEM_BARRIER=fence %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA

; CHECK-LABEL: define amdgpu_kernel void @load(
; FENCE: fence syncscope("singlethread") acq_rel, !mmra
; FENCE-NEXT: asm sideeffect "s_bitcmp1_b32 0x3, $1\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_waitcnt lgkmcnt(0)\0A\09s_ttracedata_imm 0x4\0A.Lsqtt_skip${:uid}:"
; FENCE-NEXT: fence syncscope("singlethread") acq_rel, !mmra
; NONE: asm sideeffect "s_bitcmp1_b32 0x3, $1\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x4\0A.Lsqtt_skip${:uid}:"
; ALL: fence syncscope("workgroup") acq_rel, !mmra
; ALL-NEXT: asm sideeffect "s_ttracedata_imm 0x4"
; ALL-NEXT: fence syncscope("workgroup") acq_rel, !mmra
; CHECK-LABEL: define amdgpu_kernel void @newer(
; FENCE: asm sideeffect "{{.*}}s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_wait_dscnt 0x0\0A\09s_ttracedata_imm 0x4\0A
; CHECK-LABEL: define amdgpu_kernel void @atomic(
; FENCE: s_waitcnt lgkmcnt(0)
; CHECK-LABEL: define amdgpu_kernel void @crossbar(
; FENCE: s_waitcnt lgkmcnt(0)
; CHECK-LABEL: define amdgpu_kernel void @copy(
; FENCE: s_waitcnt lgkmcnt(0)
; CHECK-LABEL: define void @flat(
; FENCE: s_waitcnt lgkmcnt(0)
; CHECK-LABEL: define amdgpu_kernel void @global(
; CHECK-NOT: s_wait
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @caller(
; CHECK-NOT: s_wait
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @first(
; FENCE: s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x4\0A
; CHECK: store i32 7, ptr addrspace(3) @tile
; FENCE: s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_waitcnt lgkmcnt(0)\0A\09s_ttracedata_imm 0x8\0A
; CHECK-LABEL: define amdgpu_kernel void @round(
; FENCE: s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x4\0A
; CHECK: round:
; FENCE: s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_waitcnt lgkmcnt(0)\0A\09s_ttracedata_imm 0x8\0A
; CHECK: store i32 7, ptr addrspace(3) @tile

; The load is under way when a wave is led past.
; ISA-LABEL: load:
; ISA: ds_load
; ISA-NOT: s_waitcnt
; ISA: s_cbranch_scc0 [[PAST:\.Lsqtt_skip[0-9]+]]
; ISA-NEXT: s_waitcnt lgkmcnt(0)
; ISA-NEXT: s_ttracedata_imm 0x4
; ISA-NEXT: [[PAST]]:
; ISA: s_endpgm

target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [64 x i32] poison
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare void @llvm.memcpy.p3.p1.i32(ptr addrspace(3), ptr addrspace(1), i32, i1)
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @load(ptr addrspace(1) %p) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %from = getelementptr i32, ptr addrspace(3) @tile, i32 %lane
  %v = load i32, ptr addrspace(3) %from
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @newer(ptr addrspace(1) %p) #1 {
  %v = load i32, ptr addrspace(3) @tile
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
define amdgpu_kernel void @atomic(ptr addrspace(3) %p) #0 {
  %v = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
define amdgpu_kernel void @crossbar(ptr addrspace(1) %p, i32 %v) #0 {
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 %v, i32 %v)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  store i32 %w, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @copy(ptr addrspace(1) %p) #0 {
  call void @llvm.memcpy.p3.p1.i32(ptr addrspace(3) @tile, ptr addrspace(1) %p, i32 16, i1 false)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
define void @flat(ptr %p) #0 {
  store i32 1, ptr %p
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
define amdgpu_kernel void @global(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @caller(ptr addrspace(1) %p) #0 {
  call void @flat(ptr null)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
define amdgpu_kernel void @first() #0 {
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  store i32 7, ptr addrspace(3) @tile
  call void @llvm.amdgcn.s.ttracedata.imm(i16 8)
  ret void
}
define amdgpu_kernel void @round(i1 %more) #0 {
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  br label %round
round:
  call void @llvm.amdgcn.s.ttracedata.imm(i16 8)
  store i32 7, ptr addrspace(3) @tile
  br i1 %more, label %round, label %out
out:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { "target-cpu"="gfx1201" }
