; LLVM takes a function with markers, and one that leads to it, to do to memory what its own code does, not to write all of
; it. A hint on both sides keeps loads and stores from crossing the call; but none stands before a return, where LLVM would
; not make a jump of the call any more. A function that the linker may replace, one that hands pointers to itself, one
; that is not optimized, and all under the boundary `asm` may write all memory.
; RUN: %late < %s | %FileCheck %s --check-prefixes=CHECK,NARROW
; RUN: env SQTT_MEM_BARRIER=fence %late < %s | %FileCheck %s --check-prefixes=CHECK,NARROW
; RUN: env SQTT_MEM_BARRIER=asm %late < %s | %FileCheck %s --check-prefixes=CHECK,WIDE --implicit-check-not=wave.barrier

target triple = "amdgcn-amd-amdhsa"

; NARROW: define internal i32 @marked(i32 %x) #[[#NONE:]] {
; WIDE: define internal i32 @marked(i32 %x) #[[#ALL:]] {
define internal i32 @marked(i32 %x) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret i32 %x
}

; NARROW: define internal i32 @leads(i32 %x) #[[#NONE]] {
; WIDE: define internal i32 @leads(i32 %x) #[[#ALL]] {
; CHECK: %y = call i32 @marked(i32 %x)
; CHECK-NEXT: ret i32 %y
define internal i32 @leads(i32 %x) #0 {
  %y = call i32 @marked(i32 %x)
  ret i32 %y
}

; NARROW: define internal i32 @reads(ptr addrspace(1) %p) #[[#READS:]] {
; WIDE: define internal i32 @reads(ptr addrspace(1) %p) #[[#ALL]] {
define internal i32 @reads(ptr addrspace(1) %p) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 8)
  %x = load i32, ptr addrspace(1) %p
  ret i32 %x
}

; NARROW: define internal i32 @stores(i32 %x) #[[#ALL:]] {
; WIDE: define internal i32 @stores(i32 %x) #[[#ALL]] {
define internal i32 @stores(i32 %x) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 12)
  store i32 %x, ptr addrspace(1) @variable
  call void asm sideeffect "", "~{memory}"()
  ret i32 %x
}

; The header's numeric markers stand between hints, which hold as before.
; NARROW: define internal i32 @numeric(i32 %x) #[[#NONE]] {
; NARROW: call void @llvm.amdgcn.sched.barrier(i32 0){{$}}
; CHECK: ret i32 %x
define internal i32 @numeric(i32 %x) #0 {
  call void @llvm.amdgcn.sched.barrier(i32 0)
  call void @llvm.amdgcn.s.ttracedata(i32 28)
  call void @llvm.amdgcn.sched.barrier(i32 0)
  ret i32 %x
}

; CHECK: define linkonce_odr i32 @replaced(i32 %x) #[[#ALL]] {
define linkonce_odr i32 @replaced(i32 %x) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 16)
  ret i32 %x
}

; NARROW: define internal i32 @again(i32 %x) #[[#NONE]] {
; WIDE: define internal i32 @again(i32 %x) #[[#ALL]] {
; NARROW: call void @llvm.amdgcn.wave.barrier()
; NARROW-NEXT: %y = call i32 @again(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
define internal i32 @again(i32 %x) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 20)
  %more = icmp ugt i32 %x, 8
  br i1 %more, label %round, label %done
round:
  %less = lshr i32 %x, 1
  %y = call i32 @again(i32 %less)
  %z = add i32 %y, %x
  ret i32 %z
done:
  ret i32 %x
}

; CHECK: define internal i32 @through(ptr addrspace(1) %p, i32 %x) #[[#ALL]] {
define internal i32 @through(ptr addrspace(1) %p, i32 %x) #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 24)
  store i32 %x, ptr addrspace(1) %p
  %more = icmp ugt i32 %x, 8
  br i1 %more, label %round, label %done
round:
  %less = lshr i32 %x, 1
  %y = call i32 @through(ptr addrspace(1) @variable, i32 %less)
  ret i32 %y
done:
  ret i32 %x
}

; CHECK-LABEL: define amdgpu_kernel void @caller(
; NARROW: call void @llvm.amdgcn.wave.barrier()
; NARROW-NEXT: %a = call i32 @leads(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; NARROW-NEXT: %b = call i32 @reads(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK: %c = call i32 @stores(
; CHECK-NEXT: %d = call i32 @replaced(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: %e = call i32 @again(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: %f = call i32 @through(
; NARROW: %g = call i32 @numeric(
; NARROW-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK: store i32 %g
define amdgpu_kernel void @caller(ptr addrspace(1) %p, i32 %n) #0 {
  %a = call i32 @leads(i32 %n)
  %b = call i32 @reads(ptr addrspace(1) %p)
  %c = call i32 @stores(i32 %b)
  %d = call i32 @replaced(i32 %c)
  %e = call i32 @again(i32 %d)
  %f = call i32 @through(ptr addrspace(1) %p, i32 %e)
  %g = call i32 @numeric(i32 %f)
  store i32 %g, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #[[#ALL]] = { noinline "target-cpu"="gfx1100" }
; NARROW-DAG: attributes #[[#NONE]] = { noinline memory(inaccessiblemem: readwrite) "target-cpu"="gfx1100" }
; NARROW-DAG: attributes #[[#READS]] = { noinline memory({{.*}}argmem: read, inaccessiblemem: readwrite) "target-cpu"="gfx1100" }

@variable = addrspace(1) global i32 0
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.sched.barrier(i32)
attributes #0 = { noinline "target-cpu"="gfx1100" }
