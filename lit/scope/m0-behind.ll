; In a branch of its own the asm does not name M0, which LLVM would look up at length: LLVM is told of it right behind,
; and gives M0 its value anew for whoever needs it next. Nothing of that is an instruction.
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s --check-prefix=IR
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg %late %s | %llc -O3 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=fence %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=cfg %late %s | sed 's/gfx1100/gfx942/' | %llc -O2 | %FileCheck %s --check-prefix=ISA
; RUN: env SQTT_SCOPE_CU=0x3 SQTT_SCOPE_FORM=asm %late %s | %llc -O2 | %FileCheck %s --check-prefix=ISA

; IR-LABEL: define amdgpu_kernel void @messages(
; IR: sqtt.trace:
; IR-NEXT: call void asm sideeffect "s_mov_b32 m0, 0x190\0A\09s_nop 3\0A\09s_ttracedata", ""() #[[MARKER:[0-9]+]]
; IR-NEXT: call void @llvm.write_register.i32(metadata ![[M0:[0-9]+]], i32 poison) #[[TOLD:[0-9]+]]
; IR-NEXT: call void @llvm.amdgcn.wave.barrier()
; IR-NEXT: br label %sqtt.skip

; The message's own word is written again behind every marker, and once only where there is none between.
; ISA-LABEL: messages:
; ISA: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_mov_b32 m0, 0x190
; ISA: s_ttracedata
; ISA: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_mov_b32 m0, 0x190
; ISA: s_ttracedata
; ISA: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_endpgm

; Around a loop: what LLVM would like to do once before it has to be done in it.
; ISA-LABEL: rounds:
; ISA: [[ROUND:\.LBB[0-9_]+]]:
; ISA-DAG: s_mov{{k?}}_{{b32|i32}} m0, {{77|0x4d}}
; ISA: s_sendmsg
; ISA: s_cbranch{{.*}} [[ROUND]]
; ISA: s_endpgm

; In both arms: neither record may be taken for the other's.
; ISA-LABEL: arms:
; ISA-COUNT-2: s_mov_b32 m0, 0x190
; ISA-NOT: m0, 0x190
; ISA: s_endpgm

; Where nothing is optimized, telling would be an instruction: M0 is an output.
; IR-LABEL: define amdgpu_kernel void @plain(
; IR: sqtt.trace:
; IR-NEXT: call i16 asm sideeffect "s_mov_b32 m0, 0x190\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
; IR-NEXT: call void @llvm.amdgcn.wave.barrier()
; IR-NEXT: br label %sqtt.skip

; It stays, and is no store to anything that a load could read.
; IR-DAG: attributes #[[MARKER]] = { convergent nomerge nounwind memory(inaccessiblemem: readwrite) "call-inline-cost"="0" }
; IR-DAG: attributes #[[TOLD]] = { memory(inaccessiblemem: readwrite) }
; IR-DAG: ![[M0]] = !{!"m0"}

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.s.sendmsg(i32, i32)
define amdgpu_kernel void @messages() #0 {
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  ret void
}
define amdgpu_kernel void @rounds(i32 %n) #0 {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round ]
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %done
done:
  ret void
}
define amdgpu_kernel void @arms(i32 %n) #0 {
entry:
  %which = icmp eq i32 %n, 7
  br i1 %which, label %yes, label %no
yes:
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 77)
  br label %done
no:
  call void @llvm.amdgcn.s.sendmsg(i32 2, i32 78)
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  br label %done
done:
  ret void
}
define amdgpu_kernel void @plain() #1 {
  call void @llvm.amdgcn.s.ttracedata(i32 400)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { noinline optnone "target-cpu"="gfx1100" }
