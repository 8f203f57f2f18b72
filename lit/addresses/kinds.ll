; What is recorded, under which name, and how many words; and what is not. An operation is one function here, so that a
; name without a row can be told.
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %s -o %t.ll
; RUN: %FileCheck %s --input-file=%t.ll --check-prefix=MAP
; RUN: %FileCheck %s --input-file=%t.ll --check-prefix=OUT --implicit-check-not=s_ttracedata

; MAP: W:32\0AP:1:addr_trace_load\0AR:1:extra_payload_count=66\0AP:2:addr_trace_load\0AR:2:extra_payload_count=66\0AP:3:addr_trace_load\0A
; MAP-SAME: P:4:addr_trace_store\0AR:4:extra_payload_count=66\0AP:5:addr_trace_atomic\0AR:5:extra_payload_count=66\0AP:6:addr_trace_atomic\0AR:6:extra_payload_count=66\0A
; MAP-SAME: P:7:addr_trace_lds_load\0AR:7:extra_payload_count=34\0AP:8:addr_trace_lds_store\0AR:8:extra_payload_count=34\0A
; MAP-SAME: P:9:addr_trace_lds_atomic\0AR:9:extra_payload_count=34\0AP:10:addr_trace_lds_atomic\0A
; MAP-SAME: P:11:addr_trace_ds_permute\0AR:11:extra_payload_count=34\0AP:12:addr_trace_ds_bpermute\0AR:12:extra_payload_count=34\0A\00

; MAP: access_bytes=1:4 2:2 3:16 4:8 5:4 6:8 7:12 8:1 9:4 10:4 11:4 12:4\0A

; From here on nothing is recorded.
; OUT-COUNT-54: s_ttracedata
; OUT: define amdgpu_kernel void @constant(

target triple = "amdgcn-amd-amdhsa"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-A5-G1-ni:7:8:9"
define amdgpu_kernel void @global(ptr addrspace(1) %p, ptr %f, i32 %v) #0 {
  %a = load i32, ptr addrspace(1) %p
  %b = load atomic i16, ptr %f monotonic, align 2
  %c = load volatile <4 x float>, ptr addrspace(1) %p
  store ptr %f, ptr %f
  %d = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic
  %e = cmpxchg ptr %f, i64 1, i64 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @lds(ptr addrspace(3) %p, i32 %v) #0 {
  %a = load <3 x i32>, ptr addrspace(3) %p
  store i8 1, ptr addrspace(3) %p
  %b = atomicrmw fadd ptr addrspace(3) %p, float 1.0 monotonic
  %c = cmpxchg ptr addrspace(3) %p, i32 1, i32 2 monotonic monotonic
  %d = call i32 @llvm.amdgcn.ds.permute(i32 %v, i32 %v)
  %e = call i32 @llvm.amdgcn.ds.bpermute(i32 %v, i32 %v)
  ret void
}
define amdgpu_kernel void @constant(ptr addrspace(4) %p, ptr addrspace(6) %q) #0 {
  %a = load i32, ptr addrspace(4) %p
  %b = load i32, ptr addrspace(6) %q
  ret void
}
define amdgpu_kernel void @private(i32 %v) #0 {
  %x = alloca i32, addrspace(5)
  store i32 %v, ptr addrspace(5) %x
  %f = addrspacecast ptr addrspace(5) %x to ptr
  %a = load i32, ptr %f
  ret void
}
define amdgpu_kernel void @gds(ptr addrspace(2) %p, i32 %v) #0 {
  %a = atomicrmw add ptr addrspace(2) %p, i32 %v monotonic
  ret void
}
define amdgpu_kernel void @fat(ptr addrspace(7) %p, ptr addrspace(9) %q) #0 {
  %a = load i32, ptr addrspace(7) %p
  %b = load i32, ptr addrspace(9) %q
  ret void
}
define amdgpu_kernel void @scalar_and_typed(<4 x i32> %r, ptr addrspace(8) %p, i32 %v) #0 {
  %a = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %r, i32 %v, i32 0)
  %b = call i32 @llvm.amdgcn.raw.tbuffer.load.i32(<4 x i32> %r, i32 %v, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32 %v, ptr addrspace(8) %p, i32 %v, i32 0, i32 0, i32 0)
  %c = call i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32> %r, i32 %v, i32 %v, i32 0, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @to_lds(<4 x i32> %r, ptr addrspace(8) %p, ptr addrspace(3) %l, ptr addrspace(1) %g, i32 %v) #0 {
  call void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32> %r, ptr addrspace(3) %l, i32 4, i32 %v, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %p, ptr addrspace(3) %l, i32 4, i32 %v, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32> %r, ptr addrspace(3) %l, i32 4, i32 %v, i32 %v, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8) %p, ptr addrspace(3) %l, i32 4, i32 %v, i32 %v, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 4, i32 0, i32 0)
  ret void
}
define amdgpu_kernel void @several_at_once(ptr addrspace(1) %p, ptr addrspace(1) %q) #0 {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 64, i1 false)
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 64, i1 false)
  call void @llvm.memset.p1.i64(ptr addrspace(1) %p, i8 0, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @crossbar(i32 %v) #0 {
  %a = call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 100)
  ret void
}
define void @naked() #1 {
  %a = load i32, ptr addrspace(1) null
  unreachable
}
define i32 @__ockl_something(ptr addrspace(1) %p) #0 {
  %a = load i32, ptr addrspace(1) %p
  ret i32 %a
}
define internal void @dead(ptr addrspace(1) %p) #0 {
  %a = load i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { naked noinline "target-cpu"="gfx1100" }
declare i32 @llvm.amdgcn.ds.permute(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32)
declare i32 @llvm.amdgcn.raw.tbuffer.load.i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.tbuffer.store.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32>, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.load.lds(<4 x i32>, ptr addrspace(3), i32, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
