// Each marker stands between two scheduling barriers, header and payload of a data marker in one.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known --implicit-check-not='call void @llvm.amdgcn.sched.barrier'
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known --implicit-check-not='call void @llvm.amdgcn.sched.barrier'

// CHECK: c"K:_Z1kPii\0AP:1:v\0AR:1:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
// CHECK-NEXT: asm sideeffect "s_ttracedata_imm 0x4
// CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_data("v", 5);
  p[0] = n;
}
