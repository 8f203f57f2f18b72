// In the final form every marker is asm: no intrinsic, whose branch LLVM may drop, is left.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata' %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata' %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata' %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}@llvm.amdgcn.s.ttracedata' %known

// CHECK: U:1:x\0AP:2:d
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: asm sideeffect

#include "markers.hpp"

__global__ void k(int *p, int n) {
  if (__lane() < static_cast<unsigned>(n)) {
    sqtt_marker_enter("x");
    __builtin_amdgcn_s_ttracedata(0x44);
    __builtin_amdgcn_s_ttracedata_imm(0x48);
    sqtt_marker_point(0x13);
    sqtt_marker_data("d", __lane());
    p[0] = n;
    sqtt_marker_exit("x");
  }
}
