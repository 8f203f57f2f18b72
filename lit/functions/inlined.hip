// Markers go with inlined code: a function that is large enough keeps them in its callers, a small one loses every copy.
// The sizes are those after optimization where the function still exists, those before where it does not.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=10 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"F:1:_Z5largePii\0AK:k\0A\00"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @k(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK-NOT: ttracedata
// CHECK: ret void

__device__ int small(int v) { return v * 3 + 1; }
__device__ int large(int *p, int v) {
  int s = 0;
  for (int i = 0; i < v; ++i) s = s * 31 + p[i] * (i ^ 5) + (p[i + 1] >> 2) - (s >> 7);
  return s;
}
extern "C" __global__ void k(int *p, int n) { p[0] = small(n) + large(p, n) + small(p[1]); }
