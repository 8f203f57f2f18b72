; A module that only declares things gets no map.
; RUN: %O0 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O1 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O2 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O3 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %phases %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used

; CHECK: target triple = "amdgcn-amd-amdhsa"

target triple = "amdgcn-amd-amdhsa"
declare amdgpu_kernel void @kernel()
declare void @function(ptr)
@variable = external addrspace(1) global i32
