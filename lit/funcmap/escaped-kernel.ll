; A kernel whose symbol holds an @ keeps to its row.
; RUN: %O0 %s | %FileCheck %s
; RUN: %O1 %s | %FileCheck %s
; RUN: %O2 %s | %FileCheck %s
; RUN: %O3 %s | %FileCheck %s
; RUN: %phases %s | %FileCheck %s

; CHECK: c"K:%:odd%40name\0AK:%:line%0Abreak\0A\00", section ".sqtt_funcmap"

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @"odd@name"() #0 { ret void }
define amdgpu_kernel void @"line\0Abreak"() #0 { ret void }
attributes #0 = { "target-cpu"="gfx1100" }
