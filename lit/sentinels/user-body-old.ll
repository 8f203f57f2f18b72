; The same with the older spelling.
; RUN: %O0 %s -o %t.ll 2> %t.txt
; RUN: %FileCheck %s --input-file=%t.ll --implicit-check-not='call{{.*}}ttracedata'
; RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
; RUN: %O1 %s -o %t.ll 2> %t.txt
; RUN: %FileCheck %s --input-file=%t.ll --implicit-check-not='call{{.*}}ttracedata'
; RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
; RUN: %O2 %s -o %t.ll 2> %t.txt
; RUN: %FileCheck %s --input-file=%t.ll --implicit-check-not='call{{.*}}ttracedata'
; RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
; RUN: %O3 %s -o %t.ll 2> %t.txt
; RUN: %FileCheck %s --input-file=%t.ll --implicit-check-not='call{{.*}}ttracedata'
; RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:

; WARN: warning: sqtt: function __sqtt_named_marker_enter has a body
; CHECK: c"K:k\0A\00"
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: call{{.*}} void @__sqtt_named_marker_enter

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"

define void @__sqtt_named_marker_enter(ptr %name) #1 {
  store volatile i8 1, ptr %name
  ret void
}
attributes #1 = { noinline "target-cpu"="gfx1100" }
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
