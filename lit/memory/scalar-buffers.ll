; `s.buffer.load` does not count: it goes through the scalar cache, like constant memory.
; RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @load(
; CHECK-NOT: s_ttracedata_imm
; CHECK: ret void

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32)
define amdgpu_kernel void @load(<4 x i32> %r) #0 {
  %v = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %r, i32 0, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
