// Without a word about it the filter is on: CUs 0 and 1 record. And the boundary is a fence for LDS.
// RUN: env -u SQTT_SCOPE_CU -u SQTT_MEM_BARRIER %hip{O0} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env -u SQTT_SCOPE_CU -u SQTT_MEM_BARRIER %hip{O2} --offload-arch=gfx1100 -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: SQTT_MEM_BARRIER=fence\0ASQTT_SCOPE_CU=0x3\0ASQTT_SCOPE_FORM=cfg
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @k(
// CHECK: call i32 @llvm.amdgcn.s.getreg(i32 6807)
// CHECK: lshr i32 3,
// CHECK: br i1 %{{.*}}, label %sqtt.trace, label %sqtt.skip
// CHECK: sqtt.trace:
// CHECK-NEXT: fence syncscope("workgroup") acq_rel, {{.*}}!mmra
// CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x6", ""()
// CHECK-NEXT: fence syncscope("workgroup") acq_rel, {{.*}}!mmra
// CHECK-NEXT: br label %sqtt.skip
// CHECK: sqtt.skip:

#include "markers.hpp"
extern "C" __global__ void k(int *p) {
  sqtt_marker_enter("a");
  p[0] = 1;
  sqtt_marker_exit("a");
}
