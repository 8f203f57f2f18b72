; A function's own features say how many lanes its waves have; without, its generation does. A module with both has the
; larger in its W: row, and each operation's R: row is right.
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s | %FileCheck %s
; RUN: sed -e 's/+wavefrontsize64/+wavefrontsize32/' -e 's/gfx942/gfx1030/' %s > %t.ll
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %t.ll | %FileCheck %s --check-prefix=NARROW

; CHECK: W:64\0A
; CHECK-SAME: R:1:extra_payload_count=66\0A
; CHECK-SAME: R:2:extra_payload_count=130\0A
; CHECK-SAME: R:3:extra_payload_count=66\0A
; CHECK-SAME: R:4:extra_payload_count=130\0A
; CHECK-SAME: R:5:extra_payload_count=66\0A
; CHECK-LABEL: define amdgpu_kernel void @by_default(
; CHECK: icmp ne i32 %{{.*}}, 32
; CHECK-LABEL: define amdgpu_kernel void @wide(
; CHECK: icmp ne i32 %{{.*}}, 64
; CHECK-LABEL: define amdgpu_kernel void @narrow(
; CHECK: icmp ne i32 %{{.*}}, 32
; CHECK-LABEL: define amdgpu_kernel void @gfx9(
; CHECK: icmp ne i32 %{{.*}}, 64
; CHECK-LABEL: define amdgpu_kernel void @generic(
; CHECK: icmp ne i32 %{{.*}}, 32
; NARROW: W:32\0A
; NARROW-NOT: payload_count=130

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @by_default(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @wide(ptr addrspace(1) %p) #1 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @narrow(ptr addrspace(1) %p) #2 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @gfx9(ptr addrspace(1) %p) #3 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @generic(ptr addrspace(1) %p) #4 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { "target-cpu"="gfx1100" "target-features"="+16-bit-insts,+wavefrontsize64,+dl-insts" }
attributes #2 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize32" }
attributes #3 = { "target-cpu"="gfx942" }
attributes #4 = { "target-cpu"="gfx11-generic" }
