// What the examples need of HIP: the real runtime header, or, with -DWITHOUT_HIP_RUNTIME, the few names that device
// code uses. The second form lets a plain clang compile the kernels for any target, without ROCm.
#pragma once

#ifndef WITHOUT_HIP_RUNTIME
#include <hip/hip_runtime.h>
#else

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))

struct ThreadIndex {
  struct X {
    __device__ operator unsigned() const { return __builtin_amdgcn_workitem_id_x(); }
  } x;
  struct Y {
    __device__ operator unsigned() const { return __builtin_amdgcn_workitem_id_y(); }
  } y;
};
struct BlockIndex {
  struct X {
    __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_id_x(); }
  } x;
  struct Y {
    __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_id_y(); }
  } y;
};
struct BlockSize {
  struct X {
    __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_size_x(); }
  } x;
  struct Y {
    __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_size_y(); }
  } y;
};
static __device__ const ThreadIndex threadIdx{};
static __device__ const BlockIndex blockIdx{};
static __device__ const BlockSize blockDim{};

static inline __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#endif
