; Ids of addresses come last, in the order of the code, each operation its own; named markers and addresses keep out of each
; other's way.
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_INSTRUMENT_BARRIERS=1 %phases %s | %FileCheck %s --implicit-check-not=s_ttracedata_imm

; CHECK: c"K:k\0AP:1:a\0AP:2:barrier\0AW:32\0AP:3:addr_trace_load\0AR:3:extra_payload_count=66\0AP:4:addr_trace_load\0AR:4:extra_payload_count=66\0A\00
; CHECK: "s_ttracedata_imm 0x4"
; CHECK: s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, exec_lo
; CHECK: load i32
; CHECK: "s_ttracedata_imm 0x4"
; CHECK: s_ttracedata_imm 0x10\0A\09s_mov_b32 m0, exec_lo
; CHECK: load i32
; CHECK: "s_ttracedata_imm 0x8"
; CHECK: call void @llvm.amdgcn.s.barrier()

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_point(ptr)
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %v = load i32, ptr addrspace(1) %p
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %w = load i32, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier()
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
