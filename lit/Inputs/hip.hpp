// The few words of HIP that the tests need, for targets that no packaged ROCm knows.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __lane() __builtin_amdgcn_workitem_id_x()
