; What stands before and after a marker: nothing, an asm that may touch memory, a fence for LDS only. The fence carries
; the tag of LLVM 19 and of LLVM 22.
; RUN: env SQTT_MEM_BARRIER=none %late %s | %FileCheck %s --check-prefix=NONE
; RUN: env SQTT_MEM_BARRIER=0 %late %s | %FileCheck %s --check-prefix=NONE
; RUN: env SQTT_MEM_BARRIER=asm %late %s | %FileCheck %s --check-prefix=ASM
; RUN: env SQTT_MEM_BARRIER=clobber %late %s | %FileCheck %s --check-prefix=ASM
; RUN: env SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s --check-prefix=FENCE
; RUN: env SQTT_MEM_BARRIER=hw %late %s | %FileCheck %s --check-prefix=FENCE
; RUN: env SQTT_MEM_BARRIER= %late %s | %FileCheck %s --check-prefix=FENCE

; NONE: sched.barrier
; NONE-NEXT: "s_ttracedata_imm 0x4"
; NONE-NEXT: sched.barrier
; ASM: sched.barrier
; ASM-NEXT: call void asm sideeffect "", "~{memory}"()
; ASM-NEXT: "s_ttracedata_imm 0x4"
; ASM-NEXT: call void asm sideeffect "", "~{memory}"()
; ASM-NEXT: sched.barrier
; FENCE: sched.barrier
; FENCE-NEXT: fence syncscope("workgroup") acq_rel, !mmra ![[MMRA:[0-9]+]]
; FENCE-NEXT: "s_ttracedata_imm 0x4"
; FENCE-NEXT: fence syncscope("workgroup") acq_rel, !mmra ![[MMRA]]
; FENCE-NEXT: sched.barrier
; FENCE-DAG: ![[MMRA]] = !{![[X:[0-9]+]], ![[Y:[0-9]+]]}
; FENCE-DAG: = !{!"amdgpu-as", !"local"}
; FENCE-DAG: = !{!"amdgpu-synchronize-as", !"local"}

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
