; An operation in a function for no known target is an error that names function and target.
; RUN: env SQTT_TRACE_ADDRESSES=memory not %late %s 2>&1 | %FileCheck %s
; RUN: sed -e 's/"target-cpu"="gfx803"/nounwind/' %s > %t.ll
; RUN: env SQTT_TRACE_ADDRESSES=memory not %late %t.ll 2>&1 | %FileCheck %s --check-prefix=MISSING

; CHECK: error: sqtt: function k {{.*}}target-cpu is "gfx803"
; MISSING: error: sqtt: function k {{.*}}target-cpu is missing

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx803" }
