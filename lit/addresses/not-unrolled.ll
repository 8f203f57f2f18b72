; The loop stays a loop whatever optimizes it afterwards, and a pointer that is the same in every lane still gives two
; words per lane: what LLVM hoists or combines are the reads, never the records.
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %s -o %t.ll
; RUN: %plainopt -passes='default<O3>,default<O3>' -S %t.ll | %FileCheck %s
; RUN: %plainopt -passes='loop(loop-unroll-full),loop-unroll<O3;full-unroll-max=64>,loop-mssa(licm)' -S %t.ll | %FileCheck %s
; RUN: %plainopt -passes='default<O3>' %t.ll | %llc -O3 | %FileCheck %s --check-prefix=ISA

; CHECK-LABEL: define {{.*}}amdgpu_kernel void @same(
; CHECK-COUNT-1: s_mov_b32 m0, exec_lo
; CHECK-COUNT-1: asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, {{.*}}\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s
; CHECK: icmp {{.*}} 32
; CHECK-NOT: s_ttracedata
; CHECK: load volatile i32
; CHECK-LABEL: define {{.*}}amdgpu_kernel void @lds_variable(
; CHECK-COUNT-2: {{asm sideeffect "s_.*s_ttracedata}}
; CHECK-NOT: s_ttracedata
; ISA-LABEL: same:
; ISA: s_mov_b32 m0, exec_lo
; ISA: [[LOOP:.LBB0_[0-9]+]]:
; ISA-COUNT-2: s_ttracedata
; ISA-NOT: s_ttracedata
; ISA: s_cbranch_scc{{[01]}} [[LOOP]]
; ISA-NOT: s_ttracedata
; ISA-LABEL: lds_variable:
; ISA-COUNT-3: s_ttracedata
; ISA: [[LOOP:.LBB1_[0-9]+]]:
; ISA-COUNT-1: s_ttracedata
; ISA-NOT: s_ttracedata
; ISA: s_cbranch_scc{{[01]}} [[LOOP]]
; ISA-NOT: s_ttracedata
; ISA: s_endpgm

target triple = "amdgcn-amd-amdhsa"
@variable = internal addrspace(3) global i32 poison
define amdgpu_kernel void @same(ptr addrspace(1) inreg %p) #0 {
  %v = load volatile i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @lds_variable(i32 %v) #0 {
  store volatile i32 %v, ptr addrspace(3) @variable
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
