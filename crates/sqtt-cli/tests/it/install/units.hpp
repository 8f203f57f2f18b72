#pragma once
#include <hip/hip_runtime.h>

__device__ int first(int n);
__device__ int second(int n);
