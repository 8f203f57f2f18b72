// Mistakes, of which the first argument chooses one.
#include "check.h"

__global__ void beyond(int* data, int n) { data[threadIdx.x + n] = 1; }
__global__ void reads(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }

static int* allocate(size_t count) {
    int* memory;
    OK(hipMalloc(&memory, count * sizeof(int)));
    return memory;
}

int main(int argc, char** argv) {
    const char* what = argv[1];
    int* a = allocate(64);
    int* b = allocate(64);
    if (!std::strcmp(what, "beyond")) {
        beyond<<<2, 64>>>(a, 1);
        OK(hipGetLastError());
        FAILS(hipDeviceSynchronize(), hipErrorIllegalAddress);
        FAILS(hipMemcpy(b, a, 4, hipMemcpyDeviceToDevice), hipErrorIllegalAddress);
        OK(hipDeviceReset());
        OK(hipDeviceSynchronize());
    } else if (!std::strcmp(what, "freed")) {
        OK(hipFree(a));
        reads<<<1, 64>>>(a, b);
        FAILS(hipStreamSynchronize(nullptr), hipErrorIllegalAddress);
    } else if (!std::strcmp(what, "host")) {
        int own[64] = {};
        reads<<<1, 64>>>(own, b);
        FAILS(hipDeviceSynchronize(), hipErrorIllegalAddress);
    } else if (!std::strcmp(what, "twice")) {
        OK(hipFree(a));
        FAILS(hipFree(a), hipErrorInvalidValue);
    } else if (!std::strcmp(what, "inside")) {
        FAILS(hipFree(a + 1), hipErrorInvalidValue);
    } else if (!std::strcmp(what, "pinned")) {
        FAILS(hipHostFree(a), hipErrorInvalidValue);
    } else if (!std::strcmp(what, "copy")) {
        int own[100] = {};
        FAILS(hipMemcpy(a, own, sizeof own, hipMemcpyHostToDevice), hipErrorInvalidValue);
        FAILS(hipMemset(a + 1, 0, 256), hipErrorInvalidValue);
    } else if (!std::strcmp(what, "unwritten")) {
        OK(hipMemset(a, 0, 128));
        reads<<<1, 32>>>(a, b);
        OK(hipDeviceSynchronize());
        reads<<<1, 64>>>(b, b);
        FAILS(hipDeviceSynchronize(), hipErrorIllegalAddress);
    } else if (!std::strcmp(what, "block")) {
        reads<<<1, 2048>>>(a, b);
        FAILS(hipGetLastError(), hipErrorInvalidConfiguration);
        reads<<<0, 64>>>(a, b);
        FAILS(hipGetLastError(), hipErrorInvalidConfiguration);
    }
    std::puts("found");
    return 0;
}
