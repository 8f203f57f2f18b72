; In the filter's branch no asm of a block names M0: LLVM is told of it right behind each, and gives M0 its value anew for
; whoever needs it next.
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=0x3 %late %s | %FileCheck %s --check-prefix=IR --implicit-check-not={m0}
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=0x3 %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg %late %s | %llc -O3 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=0x3 SQTT_MEM_BARRIER=none %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=0x3 %late %s | sed 's/gfx1100/gfx942/' | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=-1 %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA

; IR-LABEL: define amdgpu_kernel void @messages(
; IR: sqtt.trace:
; IR: call void asm sideeffect "{{.*}}s_mov_b32 m0, exec_lo{{.*}}s_ttracedata", "{{i?}}"
; IR-NEXT: call void @llvm.write_register.i32(metadata ![[M0:[0-9]+]], i32 poison)
; IR: sqtt.lanes:
; IR: call void asm sideeffect "s_mov_b32 m0, $0{{.*}}s_ttracedata", "s,s{{(,i)?}}"
; IR-NEXT: call void @llvm.write_register.i32(metadata ![[M0]], i32 poison)
; IR: ![[M0]] = !{!"m0"}

; The message's own word is written again behind each block.
; ISA-LABEL: messages:
; ISA: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_ttracedata
; ISA: s_ttracedata
; ISA: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_endpgm

; Around a loop: what LLVM would like to do once before it has to be done in it.
; ISA-LABEL: rounds:
; ISA: [[ROUND:\.LBB[0-9_]+]]:
; ISA-DAG: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_ttracedata
; ISA: s_{{c?branch.*}} [[ROUND]]
; ISA: s_endpgm

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.sendmsg(i32, i32)
define amdgpu_kernel void @messages(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  store volatile i32 7, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  ret void
}
define amdgpu_kernel void @rounds(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %done
done:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
