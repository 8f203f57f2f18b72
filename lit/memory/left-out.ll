; Functions without points: the device library's, naked ones. What was inlined from the library is the caller's.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 SQTT_INSTRUMENT_BARRIERS=1 %late %s | %FileCheck %s
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 SQTT_INSTRUMENT_BARRIERS=1 %O0 %s | %FileCheck %s

; CHECK-LABEL: define void @__ockl_wait(
; CHECK-NOT: s_ttracedata_imm
; CHECK-LABEL: define void @bare(
; CHECK-NOT: s_ttracedata_imm
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: store
; CHECK: "s_ttracedata_imm

target triple = "amdgcn-amd-amdhsa"
@g = external addrspace(1) global i32
declare void @llvm.amdgcn.s.barrier()
define void @__ockl_wait(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define void @bare() #1 {
  store i32 1, ptr addrspace(1) @g
  unreachable
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  call void @__ockl_wait(ptr addrspace(1) %p)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { naked noinline "target-cpu"="gfx1100" }
