// Two devices, managed variables, cooperative launches, and many allocations.
#include "check.h"
#include <hip/hip_cooperative_groups.h>
#include <vector>

__managed__ int shared[4] = {1, 2, 3, 4};
__device__ int own = 10;

__global__ void bump(int* data) { data[threadIdx.x] += 1; }
__global__ void managed(int by) { shared[threadIdx.x] += by; }
__global__ void adds(int by) { own += by; }

// Every block waits for all others, twice.
__global__ void meets(unsigned* count, unsigned* seen) {
    for (unsigned round = 1; round <= 2; round++) {
        if (threadIdx.x == 0) {
            __hip_atomic_fetch_add(count, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
            while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < round * gridDim.x) __builtin_amdgcn_s_sleep(1);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) seen[blockIdx.x] = *count;
}

int main() {
    int devices = 0;
    OK(hipGetDeviceCount(&devices));
    CHECK(devices == 2);
    FAILS(hipSetDevice(2), hipErrorInvalidDevice);
    // A managed variable is the same on both; another one is not.
    shared[0] = 100;
    managed<<<1, 4>>>(1);
    OK(hipDeviceSynchronize());
    adds<<<1, 1>>>(5);
    OK(hipSetDevice(1));
    managed<<<1, 4>>>(10);
    OK(hipDeviceSynchronize());
    CHECK(shared[0] == 111 && shared[3] == 15);
    int value = 0;
    OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(own), sizeof value));
    CHECK(value == 10);
    OK(hipSetDevice(0));
    OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(own), sizeof value));
    CHECK(value == 15);

    int *first, *second, can = 0;
    OK(hipMalloc(&first, 256));
    OK(hipMemset(first, 0, 256));
    OK(hipSetDevice(1));
    OK(hipMalloc(&second, 256));
    OK(hipMemcpyPeer(second, 1, first, 0, 256));
    OK(hipDeviceCanAccessPeer(&can, 1, 0));
    CHECK(can == 1);
    OK(hipDeviceEnablePeerAccess(0, 0));
    FAILS(hipDeviceEnablePeerAccess(0, 0), hipErrorPeerAccessAlreadyEnabled);
    bump<<<1, 64>>>(first);
    OK(hipDeviceSynchronize());
    OK(hipMemcpy(&value, first + 63, 4, hipMemcpyDefault));
    CHECK(value == 1);
    // Without access it is a fault, of this device alone.
    OK(hipDeviceDisablePeerAccess(0));
    bump<<<1, 64>>>(first);
    FAILS(hipDeviceSynchronize(), hipErrorIllegalAddress);
    OK(hipSetDevice(0));
    OK(hipDeviceSynchronize());

    unsigned *count, *seen, host[40];
    OK(hipMalloc(&count, 4));
    OK(hipMemset(count, 0, 4));
    OK(hipMalloc(&seen, sizeof host));
    void* arguments[] = {&count, &seen};
    OK(hipLaunchCooperativeKernel(reinterpret_cast<void*>(meets), dim3(40), dim3(128), arguments, 0, nullptr));
    OK(hipMemcpy(host, seen, sizeof host, hipMemcpyDeviceToHost));
    for (unsigned block = 0; block < 40; block++) CHECK(host[block] == 80);
    FAILS(hipLaunchCooperativeKernel(reinterpret_cast<void*>(meets), dim3(100000), dim3(1024), arguments, 0, nullptr),
          hipErrorCooperativeLaunchTooLarge);

    // Many allocations at a time, each in its own bounds.
    std::vector<int*> many(3000);
    for (auto& memory : many) OK(hipMalloc(&memory, 64 * sizeof(int)));
    for (size_t i = 0; i < many.size(); i += 500) bump<<<1, 64>>>(many[i]);
    OK(hipDeviceSynchronize());
    for (auto& memory : many) OK(hipFree(memory));
    std::puts("all right");
    return 0;
}
