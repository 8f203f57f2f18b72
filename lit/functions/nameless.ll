; Functions without a name have a row each, but for those that only the device library calls: they are its own.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late %s | %FileCheck %s
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases %s | %FileCheck %s

; CHECK: c"F:1:unnamed function 1\0AF:2:unnamed function 2\0AK:k\0A\00"
; CHECK-LABEL: define internal i32 @0(
; CHECK: "s_ttracedata_imm 0x6"
; CHECK-LABEL: define internal i32 @1(
; CHECK: "s_ttracedata_imm 0xa"
; CHECK-LABEL: define internal i32 @2(
; CHECK-NOT: asm sideeffect
; CHECK: declare

target triple = "amdgcn-amd-amdhsa"
define internal i32 @0(i32 %n) #0 {
  %r = mul i32 %n, 3
  ret i32 %r
}
define internal i32 @1(i32 %n) #0 {
  %r = mul i32 %n, 5
  ret i32 %r
}
define internal i32 @2(i32 %n) #0 {
  %r = mul i32 %n, 7
  ret i32 %r
}
define internal i32 @3(i32 %n) #0 {
  %r = call i32 @2(i32 %n)
  ret i32 %r
}
define internal i32 @__ockl_odd(i32 %n) #0 {
  %r = call i32 @3(i32 %n)
  ret i32 %r
}
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  %v = call i32 @0(i32 3)
  %w = call i32 @1(i32 %v)
  %x = call i32 @__ockl_odd(i32 %w)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
