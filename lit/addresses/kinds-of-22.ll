; REQUIRES: llvm22
; What only newer versions have: atomics and watched loads of the target's own, loads of buffers that are atomic, the permute
; that reads inactive lanes. Transposing loads and those that end in LDS are left out.
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %s | %FileCheck %s

; CHECK: c"K:k\0AK:out\0AW:32\0AP:1:addr_trace_atomic\0AR:1:extra_payload_count=66\0AP:2:addr_trace_load\0AR:2:extra_payload_count=66\0AP:3:addr_trace_load\0A
; CHECK-SAME: P:4:addr_trace_buffer_load\0AR:4:extra_payload_count=37\0AP:5:addr_trace_struct_buffer_load\0AR:5:extra_payload_count=69\0A
; CHECK-SAME: P:6:addr_trace_ds_bpermute\0AR:6:extra_payload_count=34\0A\00
; CHECK: access_bytes=1:4 2:8 3:4 4:4 5:8 6:4\0A
; CHECK-LABEL: define amdgpu_kernel void @out(
; CHECK-NOT: s_ttracedata
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr %f, ptr addrspace(8) inreg %r, <4 x i32> inreg %d, i32 %v) #0 {
  %a = call float @llvm.amdgcn.global.atomic.fmin.num.f32.p1.f32(ptr addrspace(1) %p, float 1.0)
  %b = call <2 x i32> @llvm.amdgcn.global.load.monitor.b64.v2i32(ptr addrspace(1) %p, i32 0)
  %c = call i32 @llvm.amdgcn.flat.load.monitor.b32.i32(ptr %f, i32 0)
  %e = call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32(ptr addrspace(8) %r, i32 %v, i32 0, i32 0)
  %g = call i64 @llvm.amdgcn.struct.atomic.buffer.load.i64(<4 x i32> %d, i32 %v, i32 %v, i32 0, i32 0)
  %h = call i32 @llvm.amdgcn.ds.bpermute.fi.b32(i32 %v, i32 %v)
  ret void
}
define amdgpu_kernel void @out(ptr addrspace(1) %p, ptr addrspace(3) %l) #0 {
  %a = call <2 x i32> @llvm.amdgcn.global.load.tr.b64.v2i32(ptr addrspace(1) %p)
  %b = call i32 @llvm.amdgcn.ds.append.p3(ptr addrspace(3) %l, i1 false)
  call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %p, ptr addrspace(3) %l, i32 0, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1250" }
