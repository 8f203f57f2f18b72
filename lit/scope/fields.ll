; Every field is read from where the target has it: HW_ID (4) on gfx9, HW_ID1 (23) and HW_ID2 (24) from gfx10 on. The
; operand is register | offset << 6 | (width - 1) << 11.
; For asm the entry puts the bits of several fields together; of one it keeps the field. For branches it spreads the
; bit over the word.
; RUN: env -u SQTT_SCOPE_CU SQTT_SCOPE_CU=0x5 SQTT_SCOPE_WAVE=0x7 SQTT_SCOPE_SIMD=0x1 SQTT_SCOPE_WG=0x9 %late %s | %FileCheck %s --check-prefixes=CHECK,ASM
; RUN: env -u SQTT_SCOPE_CU SQTT_SCOPE_CU=0x5 SQTT_SCOPE_WAVE=0x7 SQTT_SCOPE_SIMD=0x1 SQTT_SCOPE_WG=0x9 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s --check-prefixes=CHECK,CFG
; RUN: env SQTT_SCOPE_WAVE=0xFFFF0000 %late %s | %FileCheck %s --check-prefix=ONE

; CHECK-LABEL: define amdgpu_kernel void @gfx9(
; CHECK: %[[WAVE:.*]] = call i32 @llvm.amdgcn.s.getreg(i32 6148)
; CHECK-NEXT: %[[A:.*]] = lshr i32 7, %[[WAVE]]
; CFG-NEXT: %[[B:.*]] = shl i32 %[[A]], 31
; CFG-NEXT: %[[C:.*]] = ashr i32 %[[B]], 31
; CHECK-NEXT: call i32 @llvm.amdgcn.s.getreg(i32 2308)
; CHECK-NEXT: lshr i32 1,
; ASM: and i32 %[[A]],
; CFG: and i32 %[[C]],
; CHECK-NEXT: call i32 @llvm.amdgcn.s.getreg(i32 6660)
; CHECK-NEXT: lshr i32 5,
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 7172)
; CHECK-NEXT: lshr i32 9,
; CHECK: %[[SCOPE:.*]] = call i32 asm sideeffect "", "=s,0"(
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
; ASM: asm sideeffect "s_bitcmp1_b32 $2, 0\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_mov_b32 m0, 0x4\0A\09s_nop 0\0A\09s_ttracedata\0A.Lsqtt_skip${:uid}:", "={m0},={scc},s"(i32 %[[SCOPE]])
; CFG: icmp ugt i32 %[[SCOPE]], 1
; CHECK-LABEL: define amdgpu_kernel void @gfx12(
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 8215)
; CHECK-NEXT: lshr i32 7,
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 2583)
; CHECK-NEXT: lshr i32 1,
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 6807)
; CHECK-NEXT: lshr i32 5,
; CHECK: call i32 @llvm.amdgcn.s.getreg(i32 9240)
; CHECK-NEXT: lshr i32 9,

; ONE-LABEL: define amdgpu_kernel void @gfx9(
; ONE-NEXT: %[[WAVE:.*]] = call i32 @llvm.amdgcn.s.getreg(i32 6148)
; ONE-NEXT: call void @llvm.amdgcn.wave.barrier()
; ONE-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; ONE-NEXT: asm sideeffect "s_bitcmp1_b32 0xffff0000, $2\0A\09s_cbranch_scc0 {{.*}}"(i32 %[[WAVE]])

target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.ttracedata(i32)
define amdgpu_kernel void @gfx9() #0 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
define amdgpu_kernel void @gfx12() #1 {
  call void @llvm.amdgcn.s.ttracedata(i32 4)
  ret void
}
attributes #0 = { "target-cpu"="gfx942" }
attributes #1 = { "target-cpu"="gfx1201" }
