; What is never marked: kernels, shaders, chain functions, functions that do not return, naked ones, bodies for inlining
; only, the device library.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late %s | %FileCheck %s %only
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases %s | %FileCheck %s %only

; CHECK: c"F:1:gfx_callable\0AK:kernel\0A\00"
; CHECK-LABEL: define amdgpu_gfx i32 @gfx_callable(
; CHECK: asm sideeffect "s_ttracedata_imm 0x6"
; CHECK: asm sideeffect "s_ttracedata_imm 0x1"

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @kernel(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_cs void @compute_shader(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_cs_chain void @chain(ptr addrspace(1) inreg %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define amdgpu_gfx i32 @gfx_callable(i32 %n) #0 {
  %r = mul i32 %n, 3
  ret i32 %r
}
define void @never_returns(ptr addrspace(1) %p) #0 {
  br label %loop
loop:
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
}
define void @traps(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  call void @llvm.trap()
  unreachable
}
define void @bare() #1 {
  call void asm sideeffect "s_nop 0", ""()
  ret void
}
define available_externally i32 @elsewhere(i32 %n) #0 {
  %r = mul i32 %n, 3
  ret i32 %r
}
define float @__ocml_half(float %n) #0 {
  %r = fmul float %n, 0.5
  ret float %r
}
define i32 @__ockl_twice(i32 %n) #0 {
  %r = mul i32 %n, 2
  ret i32 %r
}
declare void @llvm.trap()
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { naked noinline "target-cpu"="gfx1100" }
