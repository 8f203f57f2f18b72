; A module for another target is left alone, even one that calls something like a sentinel.
; RUN: %O0 %s | %FileCheck %s --implicit-check-not=asm --implicit-check-not=sqtt_func
; RUN: %O1 %s | %FileCheck %s --implicit-check-not=asm --implicit-check-not=sqtt_func
; RUN: %O2 %s | %FileCheck %s --implicit-check-not=asm --implicit-check-not=sqtt_func
; RUN: %O3 %s | %FileCheck %s --implicit-check-not=asm --implicit-check-not=sqtt_func

; CHECK: call void @__sqtt_named_marker_enter(ptr

target triple = "x86_64-unknown-linux-gnu"
@a = private constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
define void @f() {
  call void @__sqtt_named_marker_enter(ptr @a)
  ret void
}
