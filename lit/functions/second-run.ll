; The second run of either phase adds nothing: the functions are decided about.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases < %s > %t.once
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases < %t.once > %t.twice
; RUN: diff %t.once %t.twice
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late < %s > %t.late
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late < %t.late > %t.later
; RUN: diff %t.late %t.later
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %opt -passes='sqtt-early,sqtt-early,sqtt-late' -S < %s > %t.early
; RUN: diff %t.once %t.early

target triple = "amdgcn-amd-amdhsa"
define i32 @f(i32 %n) #0 {
  %r = mul i32 %n, 3
  ret i32 %r
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %v = call i32 @f(i32 3)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
