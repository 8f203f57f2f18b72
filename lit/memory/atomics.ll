; Atomics are stores, in the memory that their pointer leads to. An atomic load is a load.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @add0(
; CHECK: atomicrmw 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @exchange0(
; CHECK: cmpxchg 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @add1(
; CHECK: atomicrmw 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @exchange1(
; CHECK: cmpxchg 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @add2(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @exchange2(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @add3(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @exchange3(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @add7(
; CHECK: atomicrmw 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @exchange7(
; CHECK: cmpxchg 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @atomic_load(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @atomic_store(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @ordered(
; CHECK: llvm.amdgcn.global.atomic.ordered.add.b64(
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
declare i64 @llvm.amdgcn.global.atomic.ordered.add.b64(ptr addrspace(1), i64)
define amdgpu_kernel void @add0(ptr addrspace(0) %p) #0 {
  %v = atomicrmw add ptr addrspace(0) %p, i32 1 monotonic
  ret void
}
define amdgpu_kernel void @exchange0(ptr addrspace(0) %p) #0 {
  %v = cmpxchg ptr addrspace(0) %p, i32 1, i32 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @add1(ptr addrspace(1) %p) #0 {
  %v = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}
define amdgpu_kernel void @exchange1(ptr addrspace(1) %p) #0 {
  %v = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @add2(ptr addrspace(2) %p) #0 {
  %v = atomicrmw add ptr addrspace(2) %p, i32 1 monotonic
  ret void
}
define amdgpu_kernel void @exchange2(ptr addrspace(2) %p) #0 {
  %v = cmpxchg ptr addrspace(2) %p, i32 1, i32 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @add3(ptr addrspace(3) %p) #0 {
  %v = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
  ret void
}
define amdgpu_kernel void @exchange3(ptr addrspace(3) %p) #0 {
  %v = cmpxchg ptr addrspace(3) %p, i32 1, i32 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @add7(ptr addrspace(7) %p) #0 {
  %v = atomicrmw add ptr addrspace(7) %p, i32 1 monotonic
  ret void
}
define amdgpu_kernel void @exchange7(ptr addrspace(7) %p) #0 {
  %v = cmpxchg ptr addrspace(7) %p, i32 1, i32 2 monotonic monotonic
  ret void
}
define amdgpu_kernel void @atomic_load(ptr addrspace(1) %p) #0 {
  %v = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  ret void
}
define amdgpu_kernel void @atomic_store(ptr addrspace(1) %p) #0 {
  store atomic i32 1, ptr addrspace(1) %p monotonic, align 4
  ret void
}
define amdgpu_kernel void @ordered(ptr addrspace(1) %p) #0 {
  %v = call i64 @llvm.amdgcn.global.atomic.ordered.add.b64(ptr addrspace(1) %p, i64 1)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
