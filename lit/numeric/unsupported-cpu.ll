; A built-in on a target outside the table stays as the user wrote it: code that compiled still does, with a warning.
; Functions of the same module for a target that the table knows are not left alone.
; RUN: %O0 %s 2>&1 | %FileCheck %s
; RUN: %O1 %s 2>&1 | %FileCheck %s
; RUN: %O2 %s 2>&1 | %FileCheck %s
; RUN: %O3 %s 2>&1 | %FileCheck %s

; CHECK: warning: sqtt: function k is left alone: its target-cpu is "gfx803"
; CHECK-NOT: warning
; CHECK-LABEL: @k(
; CHECK-NEXT: call void @llvm.amdgcn.s.ttracedata(i32 4)
; CHECK-NEXT: ret void
; CHECK-LABEL: @known(
; CHECK: "s_mov_b32 m0, 0x4\0A\09s_nop 3\0A\09s_ttracedata"

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
define amdgpu_kernel void @known() #1 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx803" }
attributes #1 = { "target-cpu"="gfx1100" }
