; What does not count: images, permutes, prefetches, calls, asm of the user's.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @image_load(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @image_store(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @permute(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @prefetch(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @function(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @asm(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
declare <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32.v8i32(i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.1d.v4f32.i32.v8i32(<4 x float>, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)
declare void @f(ptr addrspace(1))
define amdgpu_kernel void @image_load(<8 x i32> %r) #0 {
  %v = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32.v8i32(i32 15, i32 0, <8 x i32> %r, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @image_store(<8 x i32> %r) #0 {
  call void @llvm.amdgcn.image.store.1d.v4f32.i32.v8i32(<4 x float> zeroinitializer, i32 15, i32 0, <8 x i32> %r, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @permute(i32 %a, i32 %b) #0 {
  %v = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %b)
  ret void
}
define amdgpu_kernel void @prefetch(ptr addrspace(1) %p) #0 {
  call void @llvm.prefetch.p1(ptr addrspace(1) %p, i32 0, i32 3, i32 1)
  ret void
}
define amdgpu_kernel void @function(ptr addrspace(1) %p) #0 {
  call void @f(ptr addrspace(1) %p)
  ret void
}
define amdgpu_kernel void @asm(ptr addrspace(1) %p) #0 {
  call void asm sideeffect "global_store_dword $0, v0, off", "v,~{memory}"(ptr addrspace(1) %p)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
