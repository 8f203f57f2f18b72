; A triple of devices in LLVM 23's spelling, and one of a host, which is left alone. The tools here know no amdgpu9.42.
; RUN: sed 's/TRIPLE/amdgcn-amd-amdhsa-unknown/; s/CPU/"target-cpu"="gfx942"/' %s | %late - | %FileCheck %s
; RUN: sed 's/TRIPLE/x86_64-pc-linux-gnu/; s/CPU/"target-cpu"="gfx1100"/' %s | %late - | %FileCheck %s --check-prefix=HOST

; CHECK: c"K:k\0AU:1:a\0A\00"
; CHECK: s_mov_b32 m0, 0x6
; HOST: call void @__sqtt_named_marker_enter

target triple = "TRIPLE"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
define amdgpu_kernel void @k(ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { nounwind CPU }
