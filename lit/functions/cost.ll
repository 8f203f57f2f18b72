; The cost model: matrix 16, global and flat memory 10, LDS 4 (also its intrinsics), everything else 1.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=cost:10 %late %s | %FileCheck %s --check-prefix=ABOVE10
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=cost:11 %late %s | %FileCheck %s --check-prefix=ABOVE11
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=cost:16 %late %s | %FileCheck %s --check-prefix=ABOVE16

; ABOVE10: c"F:1:global_11\0AF:2:lds_13\0AF:3:matrix_17\0A\00"
; ABOVE11: c"F:1:lds_13\0AF:2:matrix_17\0A\00"
; ABOVE16: c"F:1:matrix_17\0A\00"

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
define i32 @global_11(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret i32 %v
}
define i32 @constant_2(ptr addrspace(4) %p) #0 {
  %v = load i32, ptr addrspace(4) %p
  ret i32 %v
}
define void @lds_13(ptr addrspace(3) %p, i32 %i) #0 {
  %v = load i32, ptr addrspace(3) %p
  %w = call i32 @llvm.amdgcn.ds.bpermute(i32 %i, i32 %v)
  store i32 %w, ptr addrspace(3) %p
  ret void
}
define <4 x float> @matrix_17(float %a, <4 x float> %c) #1 {
  %r = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %a, float %a, <4 x float> %c, i32 0, i32 0, i32 0)
  ret <4 x float> %r
}
attributes #0 = { "target-cpu"="gfx90a" }
attributes #1 = { "target-cpu"="gfx90a" }
