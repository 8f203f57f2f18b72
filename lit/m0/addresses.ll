; Every write of an address block leaves M0 as it was, where asm of the module names it: the asm before the loop, and that
; of each round. Elsewhere M0 is an output (addresses/block.ll).
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s | %FileCheck %s --implicit-check-not='={m0}'
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=3 %late %s | %FileCheck %s --implicit-check-not='={m0}'

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: asm sideeffect "s_mov_b32 $0, m0\0A\09s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, exec_lo\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x0\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $0\0A\09s_nop 3", "=&s"()
; CHECK: sqtt.lanes:
; CHECK: asm sideeffect "s_mov_b32 $0, m0\0A\09s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $2\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $0\0A\09s_nop 3", "=&s,s,s"(

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) #0 {
  call void asm sideeffect "s_mov_b32 m0, $0", "s,~{memory}"(i32 %v)
  %x = load i32, ptr addrspace(1) %p
  %y = call i32 asm sideeffect "s_mov_b32 $0, m0", "=s,~{memory}"()
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
