// A fused enter whose name is chosen at run time pops as well: both words end in 3.
// The reading of the name between the two is no code of its own.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=O0 %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: select i1 %{{.*}}, i32 {{11|15|7}}, i32 {{11|15|7}}
// CHECK: "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata"
// CHECK: "s_ttracedata_imm 0x1"
// O0-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// O0-COUNT-3: "s_
// O0-NOT: s_ttracedata
// O0: ret void

#include "markers.hpp"

__device__ void next(const char *name) {
  sqtt_marker_exit("");
  sqtt_marker_enter(name);
}
__global__ void k(int *p, int n) {
  sqtt_marker_enter("a");
  p[0] = n;
  next(n ? "b" : "c");
  p[1] = n;
  sqtt_marker_exit("");
}
