; The four placement rules, and what makes a pair: a signal directly followed by the wait for the same barrier, with
; nothing between but debug information, hints and markers. The marker stands pinned.
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_SCOPE_CU=1 %late %s | %FileCheck %s --implicit-check-not=sqtt.trace:

; CHECK: c"K:whole\0AK:apart\0AK:pair\0AK:pair_with_marker\0AK:other_wait\0AK:two_blocks\0AP:1:barrier_signal\0AP:2:barrier_wait\0AP:3:barrier\0A\00"

; CHECK-LABEL: define amdgpu_kernel void @whole(
; CHECK: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect {{.*}}s_ttracedata_imm 0xc
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NOT: ttracedata
; CHECK-LABEL: define amdgpu_kernel void @apart(
; CHECK: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect {{.*}}s_ttracedata_imm 0x4
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: store i32 1
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect {{.*}}s_ttracedata_imm 0x8
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NOT: ttracedata
; CHECK-LABEL: define amdgpu_kernel void @pair(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect {{.*}}s_ttracedata_imm 0xc
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-NOT: ttracedata
; CHECK-LABEL: define amdgpu_kernel void @pair_with_marker(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "{{.*}}s_ttracedata_imm 0xc\0A\09s_ttracedata_imm 0xa0\0A
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-LABEL: define amdgpu_kernel void @other_wait(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: asm sideeffect "{{.*}}s_ttracedata_imm 0x4\0A\09s_ttracedata_imm 0x8\0A
; CHECK-NEXT: sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -3)
; CHECK-LABEL: define amdgpu_kernel void @two_blocks(
; CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -1)
; CHECK: s_ttracedata_imm 0x4
; CHECK: br label %next
; CHECK: s_ttracedata_imm 0x8
; CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -1)

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.sched.barrier(i32)
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
define amdgpu_kernel void @whole() #0 {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
define amdgpu_kernel void @apart(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  store i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define amdgpu_kernel void @pair() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define amdgpu_kernel void @pair_with_marker() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 160)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define amdgpu_kernel void @other_wait() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  call void @llvm.amdgcn.s.barrier.wait(i16 -3)
  ret void
}
define amdgpu_kernel void @two_blocks() #0 {
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  br label %next
next:
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
