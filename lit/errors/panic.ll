; A panic of the plugin is an error of the compile, told once per phase, and not its death.
; RUN: not %late %s -o /dev/null 2>&1 | %FileCheck %s
; RUN: not %opt -passes='default<O2>' %s -o /dev/null 2>&1 | %FileCheck %s

; CHECK: error: sqtt: internal error: asked for by a test; please report it with this module

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
!sqtt.test.panic = !{!0}
!0 = !{}
