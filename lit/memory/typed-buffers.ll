; Typed buffer intrinsics count.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @raw_load(
; CHECK: llvm.amdgcn.raw.tbuffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_store(
; CHECK: llvm.amdgcn.raw.tbuffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_load(
; CHECK: llvm.amdgcn.raw.ptr.tbuffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_store(
; CHECK: llvm.amdgcn.raw.ptr.tbuffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_load(
; CHECK: llvm.amdgcn.struct.tbuffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_store(
; CHECK: llvm.amdgcn.struct.tbuffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_load(
; CHECK: llvm.amdgcn.struct.ptr.tbuffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_store(
; CHECK: llvm.amdgcn.struct.ptr.tbuffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare float @llvm.amdgcn.raw.tbuffer.load.f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.tbuffer.store.f32(float, <4 x i32>, i32, i32, i32, i32)
declare float @llvm.amdgcn.raw.ptr.tbuffer.load.f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.tbuffer.store.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.tbuffer.store.f32(float, <4 x i32>, i32, i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.ptr.tbuffer.load.f32(ptr addrspace(8), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.tbuffer.store.f32(float, ptr addrspace(8), i32, i32, i32, i32, i32)
define amdgpu_kernel void @raw_load(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.raw.tbuffer.load.f32(<4 x i32> %r, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @raw_store(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.raw.tbuffer.store.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_load(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.raw.ptr.tbuffer.load.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_store(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @struct_load(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> %r, i32 0, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @struct_store(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.struct.tbuffer.store.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_load(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.struct.ptr.tbuffer.load.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 22, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_store(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.struct.ptr.tbuffer.store.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 22, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
