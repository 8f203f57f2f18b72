; Buffers: resource, scalar offset, then a loop over the vector offset, then, structured ones, one over the index. The data
; of stores and atomics come first, compared data too. A format leaves the width to the descriptor.
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s -o %t.ll
; RUN: %FileCheck %s --input-file=%t.ll --check-prefix=MAP
; RUN: %FileCheck %s --input-file=%t.ll

; MAP: P:1:addr_trace_buffer_load\0AR:1:extra_payload_count=37\0AP:2:addr_trace_buffer_store\0AR:2:extra_payload_count=37\0A
; MAP-SAME: P:3:addr_trace_buffer_atomic\0AR:3:extra_payload_count=37\0AP:4:addr_trace_buffer_atomic\0AR:4:extra_payload_count=37\0A
; MAP-SAME: P:5:addr_trace_struct_buffer_load\0AR:5:extra_payload_count=69\0AP:6:addr_trace_struct_buffer_store\0AR:6:extra_payload_count=69\0A
; MAP-SAME: P:7:addr_trace_struct_buffer_atomic\0AR:7:extra_payload_count=69\0AP:8:addr_trace_struct_buffer_atomic\0AR:8:extra_payload_count=69\0A
; MAP-SAME: P:9:addr_trace_buffer_load\0AR:9:extra_payload_count=37\0AP:10:addr_trace_buffer_store\0A{{.*}}P:11:addr_trace_buffer_atomic\0A{{.*}}P:12:addr_trace_buffer_atomic\0A
; MAP-SAME: P:13:addr_trace_struct_buffer_load\0A{{.*}}P:14:addr_trace_struct_buffer_store\0A{{.*}}P:15:addr_trace_struct_buffer_atomic\0A{{.*}}P:16:addr_trace_struct_buffer_atomic\0A
; MAP: access_bytes=1:4 2:16 3:4 4:4 5:4 7:4 8:8 9:4 10:2 11:4 12:4 13:16 15:4 16:4\0A

; CHECK-LABEL: define amdgpu_kernel void @raw(
; CHECK: %[[R0:.*]] = extractelement <4 x i32> %r, i32 0
; CHECK-NEXT: %[[R1:.*]] = extractelement <4 x i32> %r, i32 1
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK-NEXT: %[[V0:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[R0]])
; CHECK-NEXT: %[[V1:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[R1]])
; CHECK: %[[VS:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %s)
; CHECK: %[[F0:.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %[[V0]])
; CHECK-NEXT: %[[F1:.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %[[V1]])
; CHECK-NEXT: %[[S:.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %[[VS]])
; CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, exec_lo\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x0\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $2\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $3\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s,s,s"(i32 %[[F0]], i32 %[[F1]], i32 %[[S]])
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: call i32 @llvm.amdgcn.raw.buffer.load.i32(
; The vector offset of the store.
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: call void @llvm.amdgcn.raw.buffer.store.v4i32(
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: call i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(
; CHECK-LABEL: define amdgpu_kernel void @structured(
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK: %[[I:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %i)
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: br i1 %{{.*}}, label %sqtt.lanes{{.*}}, label %sqtt.lanes.done{{.*}}, !llvm.loop
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[I]], i32
; CHECK: br i1 %{{.*}}, label %sqtt.lanes{{.*}}, label %sqtt.lanes.done{{.*}}, !llvm.loop
; CHECK: call i32 @llvm.amdgcn.struct.buffer.load.i32(
; CHECK-LABEL: define amdgpu_kernel void @raw_pointer(
; CHECK: %[[R:.*]] = ptrtoint ptr addrspace(8) %r to i128
; CHECK-NEXT: trunc i128 %[[R]] to i32
; CHECK: %[[V:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %v)
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[V]], i32
; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(
; CHECK-LABEL: define amdgpu_kernel void @structured_pointer(

target triple = "amdgcn-amd-amdhsa"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-A5-G1-ni:7:8:9"
define amdgpu_kernel void @raw(<4 x i32> inreg %r, i32 %v, i32 inreg %s, <4 x i32> %d, i32 %x) #0 {
  %a = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %r, i32 %v, i32 %s, i32 0)
  call void @llvm.amdgcn.raw.buffer.store.v4i32(<4 x i32> %d, <4 x i32> %r, i32 %v, i32 %s, i32 0)
  %b = call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32 %x, <4 x i32> %r, i32 %v, i32 %s, i32 0)
  %c = call i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32 %x, i32 0, <4 x i32> %r, i32 %v, i32 %s, i32 0)
  ret void
}
define amdgpu_kernel void @structured(<4 x i32> inreg %r, i32 %i, i32 %v, i32 inreg %s, <4 x float> %d, i32 %x, i64 %y) #0 {
  %a = call i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32> %r, i32 %i, i32 %v, i32 %s, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.format.v4f32(<4 x float> %d, <4 x i32> %r, i32 %i, i32 %v, i32 %s, i32 0)
  %b = call i32 @llvm.amdgcn.struct.buffer.atomic.swap.i32(i32 %x, <4 x i32> %r, i32 %i, i32 %v, i32 %s, i32 0)
  %c = call i64 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i64(i64 %y, i64 0, <4 x i32> %r, i32 %i, i32 %v, i32 %s, i32 0)
  ret void
}
define amdgpu_kernel void @raw_pointer(ptr addrspace(8) inreg %r, i32 %v, i32 inreg %s, i32 %x) #0 {
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %v, i32 %s, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i16(i16 7, ptr addrspace(8) %r, i32 %v, i32 %s, i32 0)
  %b = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i32(i32 %x, ptr addrspace(8) %r, i32 %v, i32 %s, i32 0)
  %c = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 %x, i32 0, ptr addrspace(8) %r, i32 %v, i32 %s, i32 0)
  ret void
}
define amdgpu_kernel void @structured_pointer(ptr addrspace(8) inreg %r, i32 %i, i32 %v, i32 inreg %s, i32 %x) #0 {
  %a = call <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.v4f32(ptr addrspace(8) %r, i32 %i, i32 %v, i32 %s, i32 0)
  call void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float 1.0, ptr addrspace(8) %r, i32 %i, i32 %v, i32 %s, i32 0)
  %b = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.or.i32(i32 %x, ptr addrspace(8) %r, i32 %i, i32 %v, i32 %s, i32 0)
  %c = call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32 %x, i32 0, ptr addrspace(8) %r, i32 %i, i32 %v, i32 %s, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare void @llvm.amdgcn.raw.buffer.store.v4i32(<4 x i32>, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.buffer.atomic.cmpswap.i32(i32, i32, <4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.format.v4f32(<4 x float>, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.buffer.atomic.swap.i32(i32, <4 x i32>, i32, i32, i32, i32)
declare i64 @llvm.amdgcn.struct.buffer.atomic.cmpswap.i64(i64, i64, <4 x i32>, i32, i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i16(i16, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i32(i32, ptr addrspace(8), i32, i32, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.ptr.buffer.load.v4f32(ptr addrspace(8), i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.ptr.buffer.store.format.f32(float, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.or.i32(i32, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.struct.ptr.buffer.atomic.cmpswap.i32(i32, i32, ptr addrspace(8), i32, i32, i32, i32)
