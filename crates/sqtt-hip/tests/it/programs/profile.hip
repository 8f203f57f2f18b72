// Two kernels, a stream, copies both ways: what a profile has to show.
#include "check.h"

__global__ void column(int *out) {
  __shared__ int tile[64 * 32];
  tile[threadIdx.x * 32] = threadIdx.x;
  // Debian's device library has no fence that this version of its headers names.
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[blockIdx.x * blockDim.x + threadIdx.x] += tile[(63 - threadIdx.x) * 32];
}

__global__ void twice(int *out) { out[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
  int host[128] = {};
  int *device;
  hipStream_t stream;
  CHECK(hipMalloc((void **)&device, sizeof host) == hipSuccess);
  CHECK(hipStreamCreate(&stream) == hipSuccess);
  CHECK(hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice) == hipSuccess);
  column<<<2, 64>>>(device);
  twice<<<1, 128, 0, stream>>>(device);
  CHECK(hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(hipFree(device) == hipSuccess);
  CHECK(host[0] == 126 && host[127] == 0);
  return 0;
}
