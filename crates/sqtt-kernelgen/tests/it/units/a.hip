// A kernel that calls functions of the other units, each in the order of its expected events.
#include "shared.hpp"

extern __device__ int of_b(int x);
extern __device__ int of_c(int x);
extern __device__ int (*table[2])(int);

#ifndef NUMBER
#define NUMBER 7
#endif

#ifdef FIRST
template __global__ void first(int *, int);
#endif

static __device__ KEPT int local(int x) {
  sqtt_scope guard("local of a");
  return x * 5;
}

extern "C" __global__ void ka(int *out, int n) {
  sqtt_scope guard("ka");
  sqtt_marker_point("a point");
  sqtt_marker_point(NUMBER);
  int sum = of_b(n);
  sum = of_c(sum);
  sum = local(sum);
  sum = twice(sum);
  sum = header(sum);
  __builtin_amdgcn_s_barrier();
  sum = table[n & 1](sum);
  VALUE("a lane", __lane());
  out[__lane()] = sum;
}
