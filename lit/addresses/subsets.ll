; A resource or scalar offset that lanes disagree about: a block for every set of lanes that agree, the first lane's first,
; as the hardware issues the operation. All four words of the resource count. The turns are masks, so that control flow
; stays uniform.
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @resource(
; CHECK: %[[ALL:.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 true)
; CHECK: sqtt.subset:
; CHECK-NEXT: %[[LEFT:.*]] = phi i32 [ %[[ALL]], %0 ], [ %[[REST:.*]], %sqtt.lanes.done ]
; CHECK-NEXT: %[[FIRST:.*]] = call {{.*}}i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK-COUNT-4: call i32 @llvm.amdgcn.readlane.i32(i32 %{{.*}}, i32 %[[FIRST]])
; CHECK-COUNT-4: icmp eq i32
; CHECK: %[[ALIKE:.*]] = call i32 @llvm.amdgcn.ballot.i32(i1
; CHECK-NEXT: %[[SUBSET:.*]] = and i32 %[[ALIKE]], %[[LEFT]]
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x0\0A{{.*}}", "={m0},s,s,s"(i32 %[[SUBSET]],
; CHECK: sqtt.lanes.done:
; CHECK-NEXT: %[[KEPT:.*]] = xor i32 %[[SUBSET]], -1
; CHECK-NEXT: %[[REST]] = and i32 %[[LEFT]], %[[KEPT]]
; CHECK-NEXT: %[[MORE:.*]] = icmp ne i32 %[[REST]], 0
; CHECK-NEXT: br i1 %[[MORE]], label %sqtt.subset, label %sqtt.subsets.done, !llvm.loop
; CHECK: sqtt.subsets.done:
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call i32 @llvm.amdgcn.raw.buffer.load.i32(
; CHECK-LABEL: define amdgpu_kernel void @offset(
; CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 true)
; CHECK: sqtt.subset:
; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(
; CHECK-LABEL: define amdgpu_kernel void @uniform(
; CHECK-NOT: sqtt.subset
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @resource(<4 x i32> %r) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %mine = insertelement <4 x i32> %r, i32 %lane, i32 2
  %a = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %mine, i32 %lane, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @offset(ptr addrspace(8) %r) #1 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %lane, i32 %lane, i32 0)
  ret void
}
define amdgpu_kernel void @uniform(<4 x i32> %r, i32 %s) #0 {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %a = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %r, i32 %lane, i32 %s, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { "target-cpu"="gfx942" }
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
