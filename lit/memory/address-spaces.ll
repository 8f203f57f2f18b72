; Loads and stores by address space: flat (0), global (1) and buffer pointers (7, 8, 9) count; GDS (2), LDS (3), constant
; memory (4, 6) and private memory (5) do not.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @load0(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @store0(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @load1(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @store1(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @load2(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @store2(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @load3(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @store3(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @load4(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @load5(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @store5(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @load6(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void
; CHECK-LABEL: define amdgpu_kernel void @load7(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @store7(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @load8(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @store8(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @load9(
; CHECK: load 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x4"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void
; CHECK-LABEL: define amdgpu_kernel void @store9(
; CHECK: store 
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: "s_ttracedata_imm 0x8"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @load0(ptr addrspace(0) %p) #0 {
  %v = load i32, ptr addrspace(0) %p
  ret void
}
define amdgpu_kernel void @store0(ptr addrspace(0) %p) #0 {
  store i32 1, ptr addrspace(0) %p
  ret void
}
define amdgpu_kernel void @load1(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @store1(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @load2(ptr addrspace(2) %p) #0 {
  %v = load i32, ptr addrspace(2) %p
  ret void
}
define amdgpu_kernel void @store2(ptr addrspace(2) %p) #0 {
  store i32 1, ptr addrspace(2) %p
  ret void
}
define amdgpu_kernel void @load3(ptr addrspace(3) %p) #0 {
  %v = load i32, ptr addrspace(3) %p
  ret void
}
define amdgpu_kernel void @store3(ptr addrspace(3) %p) #0 {
  store i32 1, ptr addrspace(3) %p
  ret void
}
define amdgpu_kernel void @load4(ptr addrspace(4) %p) #0 {
  %v = load i32, ptr addrspace(4) %p
  ret void
}
define amdgpu_kernel void @load5(ptr addrspace(5) %p) #0 {
  %v = load i32, ptr addrspace(5) %p
  ret void
}
define amdgpu_kernel void @store5(ptr addrspace(5) %p) #0 {
  store i32 1, ptr addrspace(5) %p
  ret void
}
define amdgpu_kernel void @load6(ptr addrspace(6) %p) #0 {
  %v = load i32, ptr addrspace(6) %p
  ret void
}
define amdgpu_kernel void @load7(ptr addrspace(7) %p) #0 {
  %v = load i32, ptr addrspace(7) %p
  ret void
}
define amdgpu_kernel void @store7(ptr addrspace(7) %p) #0 {
  store i32 1, ptr addrspace(7) %p
  ret void
}
define amdgpu_kernel void @load8(ptr addrspace(8) %p) #0 {
  %v = load i32, ptr addrspace(8) %p
  ret void
}
define amdgpu_kernel void @store8(ptr addrspace(8) %p) #0 {
  store i32 1, ptr addrspace(8) %p
  ret void
}
define amdgpu_kernel void @load9(ptr addrspace(9) %p) #0 {
  %v = load i32, ptr addrspace(9) %p
  ret void
}
define amdgpu_kernel void @store9(ptr addrspace(9) %p) #0 {
  store i32 1, ptr addrspace(9) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
