; A function is marked when its size is greater than N: instructions but PHIs, allocas, debug information, lifetimes and
; unreachable, and never our own markers. @four has four.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %late %s | %FileCheck %s --check-prefix=IN
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=4 %late %s | %FileCheck %s --check-prefix=OUT
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %phases %s | %FileCheck %s --check-prefix=IN
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=4 %phases %s | %FileCheck %s --check-prefix=OUT

; IN: c"F:{{[0-9]}}:four\0AU:{{[0-9]}}:a\0A
; OUT: c"U:1:a\0A

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
define i32 @four(i32 %n) #0 {
  %v = alloca i32, addrspace(5)
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %r = phi i32 [ 1, %yes ], [ 2, %0 ]
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret i32 %r
}
attributes #0 = { "target-cpu"="gfx1100" }
