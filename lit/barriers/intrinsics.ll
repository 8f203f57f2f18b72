; REQUIRES: llvm22
; Every barrier intrinsic that LLVM 22 has and patterns.ll does not show: which point it gets, and on which side.
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 %late %s | %FileCheck %s

; CHECK: K:unmarked\0AP:1:barrier_signal\0AP:2:barrier_wait\0AP:3:barrier\0AP:4:barrier_join\0AP:5:barrier_leave\0A\00"

; CHECK-LABEL: @cluster(
; CHECK: "s_ttracedata_imm 0xc"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.cluster.barrier()
; CHECK-NEXT: sched.barrier
; CHECK-NOT: ttracedata
; CHECK-LABEL: @named(
; CHECK: call void @llvm.amdgcn.s.barrier.init(
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.join(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x10"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: store i32 1
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.signal.var(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: store i32 2
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 1)
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.leave(i16 1)
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x14"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: @named_pair(
; CHECK: call void @llvm.amdgcn.s.barrier.signal.var(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0xc"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 1)
; CHECK-LABEL: @named_signal_workgroup_wait(
; CHECK: "s_ttracedata_imm 0x4"
; CHECK: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -1)
; CHECK-LABEL: @first(
; CHECK: call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: select
; CHECK: "s_ttracedata_imm 0x8"
; CHECK-LABEL: @first_pair(
; CHECK: call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -3)
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0xc"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier.wait(i16 -3)
; CHECK-LABEL: @unmarked(
; CHECK-NOT: {{call.*"s_ttracedata}}
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
@bar = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
declare void @llvm.amdgcn.s.cluster.barrier()
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.wakeup.barrier(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.s.barrier.leave(i16)
declare i32 @llvm.amdgcn.s.get.barrier.state(i32)
declare i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3))
declare void @llvm.amdgcn.wave.barrier()
declare void @llvm.amdgcn.ds.gws.barrier(i32, i32)
declare void @llvm.amdgcn.ds.atomic.async.barrier.arrive.b64(ptr addrspace(3))
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)
define amdgpu_kernel void @cluster() #0 {
  call void @llvm.amdgcn.s.cluster.barrier()
  ret void
}
define amdgpu_kernel void @named(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @bar)
  store i32 1, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  store i32 2, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  call void @llvm.amdgcn.s.barrier.leave(i16 1)
  ret void
}
define amdgpu_kernel void @named_pair() #0 {
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
define amdgpu_kernel void @named_signal_workgroup_wait() #0 {
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define amdgpu_kernel void @first(ptr addrspace(1) %p) #0 {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)
  %value = select i1 %first, i32 5, i32 6
  store i32 %value, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
  ret void
}
define amdgpu_kernel void @first_pair(ptr addrspace(1) %p) #0 {
  %first = call i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -3)
  call void @llvm.amdgcn.s.barrier.wait(i16 -3)
  store i1 %first, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @unmarked(ptr addrspace(3) %l) #0 {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @bar, i32 4)
  call void @llvm.amdgcn.s.wakeup.barrier(ptr addrspace(3) @bar)
  %a = call i32 @llvm.amdgcn.s.get.barrier.state(i32 -1)
  %b = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) @bar)
  call void @llvm.amdgcn.wave.barrier()
  call void @llvm.amdgcn.ds.gws.barrier(i32 %a, i32 %b)
  call void @llvm.amdgcn.ds.atomic.async.barrier.arrive.b64(ptr addrspace(3) %l)
  %c = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) %l, i64 1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1250" }
