; A declaration that takes a pointer where no name can be (LDS) is the user's.
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

; WARN: warning: sqtt: function sqtt_marker_exit has not the signature
; CHECK: c"K:k\0A\00"
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: call void @sqtt_marker_exit(

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @sqtt_marker_exit(ptr addrspace(3))
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @sqtt_marker_exit(ptr addrspace(3) null)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
