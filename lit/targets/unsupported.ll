; Named markers for a target that is not supported, or for none: one error that says what is, instead of an undefined symbol
; at link.
; RUN: sed 's/CPU/"target-cpu"="gfx803"/' %s | not %O0 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx803"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx803"/' %s | not %O1 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx803"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx803"/' %s | not %O2 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx803"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx803"/' %s | not %O3 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx803"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx90"/' %s | not %O0 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx90"/' %s | not %O1 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx90"/' %s | not %O2 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx90"/' %s | not %O3 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx9999"/' %s | not %O0 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx9999"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx9999"/' %s | not %O1 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx9999"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx9999"/' %s | not %O2 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx9999"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="gfx9999"/' %s | not %O3 -o /dev/null 2>&1 | %FileCheck %s -DIS='"gfx9999"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="sm_90"/' %s | not %O0 -o /dev/null 2>&1 | %FileCheck %s -DIS='"sm_90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="sm_90"/' %s | not %O1 -o /dev/null 2>&1 | %FileCheck %s -DIS='"sm_90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="sm_90"/' %s | not %O2 -o /dev/null 2>&1 | %FileCheck %s -DIS='"sm_90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU/"target-cpu"="sm_90"/' %s | not %O3 -o /dev/null 2>&1 | %FileCheck %s -DIS='"sm_90"' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU//' %s | not %O0 -o /dev/null 2>&1 | %FileCheck %s -DIS='missing' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU//' %s | not %O1 -o /dev/null 2>&1 | %FileCheck %s -DIS='missing' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU//' %s | not %O2 -o /dev/null 2>&1 | %FileCheck %s -DIS='missing' --implicit-check-not=error --implicit-check-not=sqtt:
; RUN: sed 's/CPU//' %s | not %O3 -o /dev/null 2>&1 | %FileCheck %s -DIS='missing' --implicit-check-not=error --implicit-check-not=sqtt:

; CHECK: error: sqtt: function k has named markers, but its target-cpu is [[IS]]; markers are built for gfx900 to gfx950

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_exit(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { nounwind CPU }
