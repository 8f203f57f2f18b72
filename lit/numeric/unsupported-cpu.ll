; A built-in on a target outside the table stays as the user wrote it: code that compiled still does.
; RUN: %O0 %s | %FileCheck %s --implicit-check-not=asm
; RUN: %O1 %s | %FileCheck %s --implicit-check-not=asm
; RUN: %O2 %s | %FileCheck %s --implicit-check-not=asm
; RUN: %O3 %s | %FileCheck %s --implicit-check-not=asm

; CHECK: c"K:k\0A\00"
; CHECK: call void @llvm.amdgcn.s.ttracedata(i32 4)

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx803" }
