; Buffer intrinsics count: raw and struct, with the resource as a vector or as a pointer. Atomics are stores.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @raw_load(
; CHECK: llvm.amdgcn.raw.buffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_load_format(
; CHECK: llvm.amdgcn.raw.buffer.load.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_store(
; CHECK: llvm.amdgcn.raw.buffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_store_format(
; CHECK: llvm.amdgcn.raw.buffer.store.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_atomic(
; CHECK: llvm.amdgcn.raw.buffer.atomic.add.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_exchange(
; CHECK: llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_atomic_load(
; CHECK: llvm.amdgcn.raw.atomic.buffer.load.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_load(
; CHECK: llvm.amdgcn.raw.ptr.buffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_load_format(
; CHECK: llvm.amdgcn.raw.ptr.buffer.load.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_store(
; CHECK: llvm.amdgcn.raw.ptr.buffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_store_format(
; CHECK: llvm.amdgcn.raw.ptr.buffer.store.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_atomic(
; CHECK: llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_exchange(
; CHECK: llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr_atomic_load(
; CHECK: llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_load(
; CHECK: llvm.amdgcn.struct.buffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_load_format(
; CHECK: llvm.amdgcn.struct.buffer.load.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_store(
; CHECK: llvm.amdgcn.struct.buffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_store_format(
; CHECK: llvm.amdgcn.struct.buffer.store.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_atomic(
; CHECK: llvm.amdgcn.struct.buffer.atomic.add.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_exchange(
; CHECK: llvm.amdgcn.struct.buffer.atomic.cmpswap.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_load(
; CHECK: llvm.amdgcn.struct.ptr.buffer.load.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_load_format(
; CHECK: llvm.amdgcn.struct.ptr.buffer.load.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_store(
; CHECK: llvm.amdgcn.struct.ptr.buffer.store.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_store_format(
; CHECK: llvm.amdgcn.struct.ptr.buffer.store.format.f32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_atomic(
; CHECK: llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr_exchange(
; CHECK: llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32)
declare float @llvm.amdgcn.raw.buffer.load.format.f32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.f32(float, <4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.format.f32(float, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32, i32, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.atomic.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32)
declare float @llvm.amdgcn.raw.ptr.buffer.load.format.f32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.format.f32(float, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare float @llvm.amdgcn.struct.buffer.load.f32(<4 x i32>, i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.buffer.load.format.f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.f32(float, <4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.format.f32(float, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i32(i32, i32, <4 x i32>, i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32, i32)
declare float @llvm.amdgcn.struct.ptr.buffer.load.format.f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32, i32)
define amdgpu_kernel void @raw_load(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_load_format(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.raw.buffer.load.format.f32(<4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_store(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.raw.buffer.store.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_store_format(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.raw.buffer.store.format.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_atomic(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32 1, <4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_exchange(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32 1, i32 2, <4 x i32> %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_atomic_load(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.atomic.buffer.load.i32(<4 x i32> %r, i32 0, i32 0, i32 1)
  ret void
}
define amdgpu_kernel void @raw_ptr_load(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_load_format(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.format.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_store(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_store_format(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.raw.ptr.buffer.store.format.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_atomic(ptr addrspace(8) %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_exchange(ptr addrspace(8) %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 1, i32 2, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr_atomic_load(ptr addrspace(8) %r) #0 {
  %v = call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8) %r, i32 0, i32 0, i32 1)
  ret void
}
define amdgpu_kernel void @struct_load(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.struct.buffer.load.f32(<4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_load_format(<4 x i32> %r) #0 {
  %v = call float @llvm.amdgcn.struct.buffer.load.format.f32(<4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_store(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.struct.buffer.store.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_store_format(<4 x i32> %r) #0 {
  call void @llvm.amdgcn.struct.buffer.store.format.f32(float 1.0, <4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_atomic(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.struct.buffer.atomic.add.i32(i32 1, <4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_exchange(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i32(i32 1, i32 2, <4 x i32> %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_load(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.struct.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_load_format(ptr addrspace(8) %r) #0 {
  %v = call float @llvm.amdgcn.struct.ptr.buffer.load.format.f32(ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_store(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.struct.ptr.buffer.store.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_store_format(ptr addrspace(8) %r) #0 {
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float 1.0, ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_atomic(ptr addrspace(8) %r) #0 {
  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.add.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr_exchange(ptr addrspace(8) %r) #0 {
  %v = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32 1, i32 2, ptr addrspace(8) %r, i32 0, i32 0, i32 0, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
