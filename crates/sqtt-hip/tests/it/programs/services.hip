// What kernels ask the host for.
#include "check.h"
#include <cassert>

__global__ void prints(int n) {
    const int t = threadIdx.x;
    if (t < n) printf("thread %d of %s: %5.2f %llx\n", t, "block", t * 0.5, 1ull << 40);
}

__global__ void allocates(int** out) {
    int* own = static_cast<int*>(malloc(64 * sizeof(int)));
    for (int i = 0; i < 64; i++) own[i] = threadIdx.x * 1000 + i;
    out[threadIdx.x] = own;
}

__global__ void sums(int** in, int* out) {
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += in[threadIdx.x][i];
    out[threadIdx.x] = sum;
    free(in[threadIdx.x]);
}

__global__ void asserts(int limit) { assert(threadIdx.x < limit); }

int main(int argc, char** argv) {
    std::printf("before\n");
    prints<<<1, 64>>>(3);
    OK(hipDeviceSynchronize());
    std::printf("after\n");

    int** pointers;
    int* results;
    OK(hipMalloc(&pointers, 70 * sizeof(int*)));
    OK(hipMalloc(&results, 70 * sizeof(int)));
    allocates<<<1, 70>>>(pointers);
    OK(hipDeviceSynchronize());
    sums<<<1, 70>>>(pointers, results);
    OK(hipDeviceSynchronize());
    int host[70];
    OK(hipMemcpy(host, results, sizeof host, hipMemcpyDeviceToHost));
    for (int t = 0; t < 70; t++) CHECK(host[t] == t * 64000 + 63 * 64 / 2);
    std::printf("memory\n");
    std::fflush(stdout);

    asserts<<<1, 64>>>(64);
    OK(hipDeviceSynchronize());
    asserts<<<1, 64>>>(62);
    OK(hipGetLastError());
    FAILS(hipDeviceSynchronize(), hipErrorAssert);
    FAILS(hipMalloc(&results, 4), hipErrorAssert);
    return 0;
}
