// F: rows say where the function is, also when it was inlined away.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=5 %hip{O2} -g --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"F:1:_Z4workPii@{{.*}}location.hip:6\0AK:k@{{.*}}location.hip:7\0A\00"

__device__ int work(int *p, int n) { return p[n] * 3 + p[n + 1] * 5 + p[n + 2] * 7 + p[n + 3] * 9; }
extern "C" __global__ void k(int *p, int n) { p[0] = work(p, n); }
