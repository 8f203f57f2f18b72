; Optimization may prove that a function never returns. Then its enter goes too: nothing would leave the scope.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %opt -passes='sqtt-early,function(simplifycfg),sqtt-late,verify' -S %s | %FileCheck %s %only

; CHECK-NOT: F:
; CHECK-LABEL: define void @spins(

target triple = "amdgcn-amd-amdhsa"
define void @spins(ptr addrspace(1) %p) #0 {
  br label %loop
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br i1 false, label %out, label %loop
out:
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
