; Loads from global memory or buffers to LDS are loads: it is the memory behind the caches that they read.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @raw(
; CHECK: llvm.amdgcn.raw.buffer.load.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @raw_ptr(
; CHECK: llvm.amdgcn.raw.ptr.buffer.load.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct(
; CHECK: llvm.amdgcn.struct.buffer.load.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @struct_ptr(
; CHECK: llvm.amdgcn.struct.ptr.buffer.load.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @global(
; CHECK: llvm.amdgcn.global.load.lds(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
define amdgpu_kernel void @raw(<4 x i32> %r, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @raw_ptr(ptr addrspace(8) %r, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct(<4 x i32> %r, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32> %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @struct_ptr(ptr addrspace(8) %r, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %l, i32 4, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @global(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1030" }
