; Instrumentation of a function for an unknown cpu, or without one, is an error that names it, told once. Functions that
; nothing reaches do not matter.
; RUN: sed 's/CPU/"target-cpu"="gfx803"/' %s > %t.old.ll
; RUN: sed 's/CPU//' %s > %t.missing.ll
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=10 not %O2 %t.old.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=OLD
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 not %O0 %t.old.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=OLD
; RUN: env SQTT_INSTRUMENT_MEMORY=4:16 not %O1 %t.old.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=OLD
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=10 not %O0 %t.missing.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=MISSING
; RUN: env SQTT_INSTRUMENT_BARRIERS=1 not %O2 %t.missing.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=MISSING
; RUN: env SQTT_INSTRUMENT_MEMORY=4:16 not %O3 %t.missing.ll -o /dev/null 2>&1 | %FileCheck %s --check-prefix=MISSING

; OLD-NOT: sqtt:
; OLD: error: sqtt: function k is to be instrumented, but its target-cpu is "gfx803"; markers are built for gfx900 to gfx950
; OLD-NOT: sqtt:
; MISSING-NOT: sqtt:
; MISSING: error: sqtt: function k is to be instrumented, but its target-cpu is missing; markers are built for gfx900 to gfx950
; MISSING-NOT: sqtt:

target triple = "amdgcn-amd-amdhsa"
define internal void @dead() { ret void }
define amdgpu_kernel void @k() #0 { ret void }
attributes #0 = { nounwind CPU }
