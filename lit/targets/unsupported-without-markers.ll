; A kernel for an unknown cpu that has no markers compiles: it is left alone, with a warning that names the cpu.
; RUN: %O0 %s 2>&1 | %FileCheck %s %only
; RUN: %O1 %s 2>&1 | %FileCheck %s %only
; RUN: %O2 %s 2>&1 | %FileCheck %s %only
; RUN: %O3 %s 2>&1 | %FileCheck %s %only
; RUN: %phases %s 2>&1 | %FileCheck %s %only
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %O2 %s 2>&1 | %FileCheck %s %only

; CHECK: warning: sqtt: function k is left alone: its target-cpu is "gfx803"; markers are built for gfx900 to gfx950, gfx1010 to
; CHECK-NOT: sqtt

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 { ret void }
attributes #0 = { "target-cpu"="gfx803" }
