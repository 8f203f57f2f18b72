; Address blocks rule a shader clock out.
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SHADER_CLOCK_BITS=12 not %O2 %s -o /dev/null 2>&1 | %FileCheck %s
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SHADER_CLOCK_BITS=0 %O2 %s -o /dev/null
; RUN: env SQTT_TRACE_ADDRESSES=off SQTT_SHADER_CLOCK_BITS=12 %O2 %s -o /dev/null

; CHECK: error: sqtt: SQTT_TRACE_ADDRESSES=memory: excludes SQTT_SHADER_CLOCK_BITS=12
; CHECK-NOT: error

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
  store i32 %n, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
