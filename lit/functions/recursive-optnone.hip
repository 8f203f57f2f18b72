// Recursive and optnone functions are marked like any other, at every level.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O0} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O1} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O2} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=3 %hip{O3} --offload-arch=gfx1030 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"F:1:_Z4tree{{[^0]*}}\0AF:2:_Z5plain{{[^0]*}}\0AK:k\0A\00"

__device__ __attribute__((noinline)) int tree(int *p, int n) {
  if (n < 2) return p[n];
  return tree(p, n - 1) * 3 + tree(p, n - 2) + p[n];
}
__device__ __attribute__((noinline, optnone)) int plain(int *p, int n) { return p[n] * p[n + 1] + n; }
extern "C" __global__ void k(int *p, int n) { p[0] = tree(p, n) + plain(p, n); }
