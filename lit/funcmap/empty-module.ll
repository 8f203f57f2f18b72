; An empty module stays empty.
; RUN: %O0 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O1 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O2 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %O3 %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used
; RUN: %phases %s | %FileCheck %s --implicit-check-not=sqtt --implicit-check-not=llvm.used

; CHECK: target triple = "amdgcn-amd-amdhsa"

target triple = "amdgcn-amd-amdhsa"

