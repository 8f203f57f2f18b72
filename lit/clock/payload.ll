; A marker with a payload rules the clock out, on every target and at every level, and says which it is.
; RUN: env SQTT_SHADER_CLOCK_BITS=12 not %O0 %s -o /dev/null 2>&1 | %FileCheck %s
; RUN: env SQTT_SHADER_CLOCK_BITS=12 not %O2 %s -o /dev/null 2>&1 | %FileCheck %s
; RUN: sed 's/gfx1201/gfx1100/' %s > %t.other.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 not %O2 %t.other.ll -o /dev/null 2>&1 | %FileCheck %s
; RUN: %O2 %s -o /dev/null

; CHECK: error: sqtt: function k: SQTT_SHADER_CLOCK_BITS=12: marker "value" has a payload, and markers with a payload rule out a shader clock; accepted with them: 0

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [6 x i8] c"value\00"
declare void @__sqtt_named_marker_data(ptr, i32)
define amdgpu_kernel void @k(i32 %n) #0 {
  call void @__sqtt_named_marker_data(ptr addrspacecast (ptr addrspace(4) @a to ptr), i32 %n)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
