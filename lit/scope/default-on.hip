// Without a word about it the filter is on: CUs 0 and 1 record. The asm leads the others past itself, and the boundary
// is a fence for LDS, of which this kernel has none.
// RUN: env -u SQTT_SCOPE_CU -u SQTT_MEM_BARRIER %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env -u SQTT_SCOPE_CU -u SQTT_MEM_BARRIER %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: SQTT_MEM_BARRIER=fence\0ASQTT_SCOPE_CU=0x3\0ASQTT_SCOPE_FORM=asm
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @k(
// CHECK: %[[CU:[0-9]+]] = {{.*}}call i32 @llvm.amdgcn.s.getreg(i32 6807)
// CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
// CHECK-NOT: br
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel, {{.*}}!mmra
// CHECK-NEXT: asm sideeffect "s_bitcmp1_b32 0x3, $1\0A\09s_cbranch_scc0 .Lsqtt_skip${:uid}\0A\09s_ttracedata_imm 0x6\0A.Lsqtt_skip${:uid}:", "={scc},s,i"(i32 %[[CU]], i32 0)
// CHECK-NEXT: fence syncscope("singlethread") acq_rel, {{.*}}!mmra
// CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)

#include "markers.hpp"
extern "C" __global__ void k(int *p) {
  sqtt_marker_enter("a");
  p[0] = 1;
  sqtt_marker_exit("a");
}
