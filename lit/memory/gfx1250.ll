; REQUIRES: llvm22
; Operations that gfx1250 brought: copies between memory and LDS count by the side that is memory; prefetches move no data of
; the program; LDS does not count.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @to_lds(
; CHECK: llvm.amdgcn.load.to.lds.p1(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @async_load(
; CHECK: llvm.amdgcn.global.load.async.to.lds.b32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @async_store(
; CHECK: llvm.amdgcn.global.store.async.from.lds.b32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @cluster_load(
; CHECK: llvm.amdgcn.cluster.load.async.to.lds.b32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @transposing(
; CHECK: llvm.amdgcn.global.load.tr.b64.v2i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @monitor(
; CHECK: llvm.amdgcn.global.load.monitor.b32.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @monitor_flat(
; CHECK: llvm.amdgcn.flat.load.monitor.b32.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @cooperative_load(
; CHECK: llvm.amdgcn.cooperative.atomic.load.32x4B.p1(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @cooperative_store(
; CHECK: llvm.amdgcn.cooperative.atomic.store.32x4B.p1(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @tensor_load(
; CHECK: llvm.amdgcn.tensor.load.to.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @tensor_store(
; CHECK: llvm.amdgcn.tensor.store.from.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @prefetch(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @prefetch_scalar(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @lds_transposing(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
!0 = !{!"workgroup"}
declare void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.cluster.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.global.load.tr.b64.v2i32(ptr addrspace(1))
declare i32 @llvm.amdgcn.global.load.monitor.b32.i32(ptr addrspace(1), i32)
declare i32 @llvm.amdgcn.flat.load.monitor.b32.i32(ptr, i32)
declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p1(ptr addrspace(1), i32, metadata)
declare void @llvm.amdgcn.cooperative.atomic.store.32x4B.p1(ptr addrspace(1), i32, i32, metadata)
declare void @llvm.amdgcn.tensor.load.to.lds(<4 x i32>, <8 x i32>, <4 x i32>, <4 x i32>, i32)
declare void @llvm.amdgcn.tensor.store.from.lds(<4 x i32>, <8 x i32>, <4 x i32>, <4 x i32>, i32)
declare void @llvm.amdgcn.global.prefetch(ptr addrspace(1), i32)
declare void @llvm.amdgcn.s.prefetch.data.p1(ptr addrspace(1), i32)
declare <2 x i32> @llvm.amdgcn.ds.load.tr4.b64.v2i32(ptr addrspace(3))
define amdgpu_kernel void @to_lds(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @async_load(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @async_store(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @cluster_load(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.cluster.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @transposing(ptr addrspace(1) %p) #0 {
  %v = call <2 x i32> @llvm.amdgcn.global.load.tr.b64.v2i32(ptr addrspace(1) %p)
  ret void
}
define amdgpu_kernel void @monitor(ptr addrspace(1) %p) #0 {
  %v = call i32 @llvm.amdgcn.global.load.monitor.b32.i32(ptr addrspace(1) %p, i32 0)
  ret void
}
define amdgpu_kernel void @monitor_flat(ptr %p) #0 {
  %v = call i32 @llvm.amdgcn.flat.load.monitor.b32.i32(ptr %p, i32 0)
  ret void
}
define amdgpu_kernel void @cooperative_load(ptr addrspace(1) %p) #0 {
  %v = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p1(ptr addrspace(1) %p, i32 0, metadata !0)
  ret void
}
define amdgpu_kernel void @cooperative_store(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.cooperative.atomic.store.32x4B.p1(ptr addrspace(1) %p, i32 1, i32 0, metadata !0)
  ret void
}
define amdgpu_kernel void @tensor_load(<4 x i32> %a, <8 x i32> %b) #0 {
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %a, <8 x i32> %b, <4 x i32> %a, <4 x i32> %a, i32 0)
  ret void
}
define amdgpu_kernel void @tensor_store(<4 x i32> %a, <8 x i32> %b) #0 {
  call void @llvm.amdgcn.tensor.store.from.lds(<4 x i32> %a, <8 x i32> %b, <4 x i32> %a, <4 x i32> %a, i32 0)
  ret void
}
define amdgpu_kernel void @prefetch(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.global.prefetch(ptr addrspace(1) %p, i32 0)
  ret void
}
define amdgpu_kernel void @prefetch_scalar(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.prefetch.data.p1(ptr addrspace(1) %p, i32 0)
  ret void
}
define amdgpu_kernel void @lds_transposing(ptr addrspace(3) %l) #0 {
  %v = call <2 x i32> @llvm.amdgcn.ds.load.tr4.b64.v2i32(ptr addrspace(3) %l)
  ret void
}
attributes #0 = { "target-cpu"="gfx1250" }
