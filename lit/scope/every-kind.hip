// The filter holds for every trace call in the module: named, numeric and hand-written ones, in both instruction forms.
// RUN: env SQTT_SCOPE_CU=1 %hip{O0} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata'
// RUN: env SQTT_SCOPE_CU=1 %hip{O2} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,ASM --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata'
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O0} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata'
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata'

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @k(
// ASM: asm sideeffect "s_bitcmp1_b32 {{.*}}s_cbranch_scc0 {{.*}}s_ttracedata_imm 0x6\0A.Lsqtt_skip
// ASM: asm sideeffect "s_bitcmp1_b32 {{.*}}s_cbranch_scc0 {{.*}}s_mov_b32 m0, {{.*}}s_ttracedata\0A.Lsqtt_skip
// ASM: asm sideeffect "s_bitcmp1_b32 {{.*}}s_cbranch_scc0 {{.*}}s_ttracedata_imm 0x28\0A.Lsqtt_skip
// ASM: asm sideeffect "s_bitcmp1_b32 {{.*}}s_cbranch_scc0 {{.*}}s_mov_b32 m0, {{.*}}s_ttracedata\0A.Lsqtt_skip
// CFG: sqtt.trace{{.*}}:
// CFG-NEXT: asm sideeffect "s_ttracedata_imm 0x6"
// CFG: sqtt.trace{{.*}}:
// CFG: asm sideeffect "s_mov_b32 m0, {{.*}}s_ttracedata"
// CFG: sqtt.trace{{.*}}:
// CFG-NEXT: asm sideeffect "s_ttracedata_imm 0x28"
// CFG: sqtt.trace{{.*}}:
// CFG: asm sideeffect "s_mov_b32 m0, {{.*}}s_ttracedata"

#include "markers.hpp"
extern "C" __global__ void k(int *p) {
  sqtt_marker_enter("a");
  p[0] = 1;
  __builtin_amdgcn_s_ttracedata(p[4]);
  p[1] = 2;
  __builtin_amdgcn_s_ttracedata_imm(40);
  p[2] = 3;
  sqtt_marker_point(7);
  p[3] = 4;
}
