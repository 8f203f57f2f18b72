// The newer spelling carries no attributes of the header: equal markers in both arms stay two all the same.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-2: "s_ttracedata_imm 0x4"

extern "C" __device__ void sqtt_marker_point(const char *);

__global__ void k(int *p, int n) {
  if (p[__lane()] > n)
    sqtt_marker_point("x");
  else
    sqtt_marker_point("x");
  p[0] = n;
}
