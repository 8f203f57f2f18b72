// Kernels that do not come to their end, for the tests of `sqtt where`.
#include "kernel.hpp"
#include "markers.hpp"

// The number of the wave in its workgroup, the same in all lanes.
static __device__ __attribute__((always_inline)) unsigned wave_number() {
  return __builtin_amdgcn_readfirstlane(threadIdx.x) / __builtin_amdgcn_wavefrontsize();
}

// Five barriers, of which the last of four waves of workgroup 2 skips the third: the others wait for a fifth time
// when it has ended.
extern "C" __global__ void skips(int *p) {
  sqtt_scope whole("outer");
  const bool does = blockIdx.x != 2 || wave_number() != 3;
  for (int turn = 0; turn < 5; ++turn) {
    if (turn != 2 || does)
      __syncthreads();
    p[threadIdx.x] += turn;
  }
}

// The last wave of workgroup 2 looks for what the others would write behind a barrier that it does not come to.
extern "C" __global__ void spins(volatile int *flag) {
  sqtt_scope whole("outer");
  __syncthreads();
  if (blockIdx.x != 2 || wave_number() != 3) {
    sqtt_scope work("work");
    __syncthreads();
    flag[blockIdx.x] = 1;
  } else {
    sqtt_scope spin("spin");
    while (flag[2] == 0) {
    }
  }
}

// All waves write where nothing is, in the middle of a scope.
extern "C" __global__ void faults(int *p) {
  sqtt_scope whole("outer");
  sqtt_marker_point("begun");
  sqtt_scope write("write");
  p[threadIdx.x] = 1;
}
