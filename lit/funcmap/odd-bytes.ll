; A kernel whose symbol is no UTF-8: its row holds the symbol's bytes, or no decoder finds it.
; RUN: %phases %s | %FileCheck %s

; CHECK: c"K:a\FFb\0A\00", section ".sqtt_funcmap"

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @"a\FFb"() #0 { ret void }
attributes #0 = { "target-cpu"="gfx1100" }
