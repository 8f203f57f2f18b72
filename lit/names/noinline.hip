// A function the user marked noinline is not inlined to learn a name, when several could come.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s %only
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s %only
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s %only

// CHECK: c"K:_Z1kPii\0AU:1:unnamed marker at function _Z4slowPKcPi\0A\00"
// CHECK-LABEL: define{{.*}} void @_Z4slowPKcPi(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: call {{.*}}@_Z4slowPKcPi
// CHECK: call {{.*}}@_Z4slowPKcPi

#include "markers.hpp"

__noinline__ __device__ void slow(const char *name, int *p) {
  sqtt_marker_enter(name);
  ++*p;
  sqtt_marker_exit(name);
}
__global__ void k(int *p, int n) {
  slow("one", p);
  slow("two", p + n);
}
