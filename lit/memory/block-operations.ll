; memcpy, memmove and memset are one operation each: a store where the destination counts, or else a load where the
; source does.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @copy(
; CHECK: llvm.memcpy.p1.p1.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @copy_in(
; CHECK: llvm.memcpy.p5.p1.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @copy_out(
; CHECK: llvm.memcpy.p1.p5.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @copy_constant(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @copy_to_lds(
; CHECK: llvm.memcpy.inline.p3.p1.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @move(
; CHECK: llvm.memmove.p0.p0.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @set(
; CHECK: llvm.memset.p1.i64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @set_private(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p5.p1.i64(ptr addrspace(5), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p5.i64(ptr addrspace(1), ptr addrspace(5), i64, i1)
declare void @llvm.memcpy.p5.p4.i64(ptr addrspace(5), ptr addrspace(4), i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memset.p5.i64(ptr addrspace(5), i8, i64, i1)
declare void @llvm.memcpy.inline.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
define amdgpu_kernel void @copy(ptr addrspace(1) %a, ptr addrspace(1) %b) #0 {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @copy_in(ptr addrspace(5) %a, ptr addrspace(1) %b) #0 {
  call void @llvm.memcpy.p5.p1.i64(ptr addrspace(5) %a, ptr addrspace(1) %b, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @copy_out(ptr addrspace(1) %a, ptr addrspace(5) %b) #0 {
  call void @llvm.memcpy.p1.p5.i64(ptr addrspace(1) %a, ptr addrspace(5) %b, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @copy_constant(ptr addrspace(5) %a, ptr addrspace(4) %b) #0 {
  call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) %a, ptr addrspace(4) %b, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @copy_to_lds(ptr addrspace(3) %a, ptr addrspace(1) %b) #0 {
  call void @llvm.memcpy.inline.p3.p1.i64(ptr addrspace(3) %a, ptr addrspace(1) %b, i64 16, i1 false)
  ret void
}
define amdgpu_kernel void @move(ptr %a, ptr %b) #0 {
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @set(ptr addrspace(1) %a) #0 {
  call void @llvm.memset.p1.i64(ptr addrspace(1) %a, i8 0, i64 64, i1 false)
  ret void
}
define amdgpu_kernel void @set_private(ptr addrspace(5) %a) #0 {
  call void @llvm.memset.p5.i64(ptr addrspace(5) %a, i8 0, i64 64, i1 false)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
