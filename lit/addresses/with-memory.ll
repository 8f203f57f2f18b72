; Memory markers and addresses exclude each other: one error that names both.
; RUN: env SQTT_TRACE_ADDRESSES=lds SQTT_INSTRUMENT_MEMORY=4:16 not %late %s 2>&1 | %FileCheck %s
; RUN: env SQTT_TRACE_ADDRESSES=off SQTT_INSTRUMENT_MEMORY=4:16 %late %s -o /dev/null
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds SQTT_INSTRUMENT_MEMORY=off %late %s -o /dev/null

; CHECK: error: sqtt: SQTT_TRACE_ADDRESSES=lds: excludes SQTT_INSTRUMENT_MEMORY=4:16
; CHECK-NOT: error

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
