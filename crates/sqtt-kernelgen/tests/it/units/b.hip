// A kernel, and a function that another unit calls too.
#include "shared.hpp"

extern __device__ int of_c(int x);

#ifdef FIRST
template __global__ void first(int *, int);
#endif

static __device__ KEPT int local(int x) {
  sqtt_scope guard("local of b");
  return x * 7;
}

__device__ KEPT int of_b(int x) {
  sqtt_scope guard("of_b");
  x = local(x);
  return twice(x);
}

extern "C" __global__ void kb(int *out, int n) {
  sqtt_scope guard("kb");
  int sum = of_b(n);
  __builtin_amdgcn_s_barrier();
  VALUE("b value", n);
  out[__lane()] = header(of_c(sum));
}
