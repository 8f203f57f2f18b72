// Functions alone: no kernel tells where their markers belong.
#include "shared.hpp"

static __device__ KEPT int even(int x) {
  sqtt_scope guard("even");
  return x + 2;
}

static __device__ KEPT int odd(int x) {
  sqtt_scope guard("odd");
  return x + 3;
}

__device__ int (*table[2])(int) = {even, odd};

__device__ KEPT int of_c(int x) {
  sqtt_scope guard("of_c");
  VALUE("c value", x);
  return header(x);
}

__device__ KEPT int dropped(int x) {
  sqtt_scope guard("in none");
  return x + 1;
}
