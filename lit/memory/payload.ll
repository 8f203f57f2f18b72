; LLVM may move a load to between a data marker's header and its payload. The load's point, and the block of its address, come
; before the marker, of which the two records stay together.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late < %s | %FileCheck %s --check-prefixes=CHECK,POINT --implicit-check-not=s_ttracedata
; RUN: env SQTT_TRACE_ADDRESSES=memory %late < %s | %FileCheck %s --check-prefixes=CHECK,BLOCK
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %late < %s | %FileCheck %s --check-prefixes=CHECK,POINT --implicit-check-not=s_ttracedata

; CHECK-LABEL: define amdgpu_kernel void @k(
; BLOCK: asm sideeffect "s_ttracedata_imm 0x
; CHECK: %x = load i32, ptr addrspace(1) %p
; POINT: asm sideeffect "s_ttracedata_imm 0x{{[48]}}"
; CHECK: %y = add i32 %x, %n
; CHECK: asm sideeffect "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, ${{[01]}}\0A\09s_nop 3\0A\09s_ttracedata"
; CHECK: ret void
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) "target-cpu"="gfx1100" {
  call void @llvm.amdgcn.s.ttracedata(i32 12) "sqtt.marker"="data"
  %x = load i32, ptr addrspace(1) %p
  %y = add i32 %x, %n
  call void @llvm.amdgcn.s.ttracedata(i32 %y) "sqtt.marker"="payload"
  ret void
}
declare void @llvm.amdgcn.s.ttracedata(i32)
