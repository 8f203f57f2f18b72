// Structures in the layout of the headers that this is compiled with: what the runtime fills has its place, and nothing
// beyond the structure is written.
#include "check.h"

template <typename T> struct Guarded {
    T value;
    unsigned char beyond[64];
    Guarded() { std::memset(static_cast<void*>(this), 0xa5, sizeof *this); }
    bool whole() const {
        for (unsigned char byte : beyond)
            if (byte != 0xa5) return false;
        return true;
    }
};

__global__ void kernel(int* out) {
    __shared__ int all[100];
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[99 - threadIdx.x];
}

static int attribute(hipDeviceAttribute_t which) {
    int value = -1;
    OK(hipDeviceGetAttribute(&value, which, 0));
    return value;
}

int main() {
    Guarded<hipDeviceProp_t> device;
    OK(hipGetDeviceProperties(&device.value, 0));
    const hipDeviceProp_t& p = device.value;
    CHECK(device.whole());
    CHECK(!std::strncmp(p.gcnArchName, "gfx90a", 6) && !std::strcmp(p.name, "AMD Instinct MI210"));
    CHECK(p.major == 9 && p.minor == 0 && p.warpSize == 64 && p.multiProcessorCount == 104);
    CHECK(p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 1024 && p.sharedMemPerBlock == 65536);
    CHECK(p.maxThreadsPerMultiProcessor == 2048 && p.concurrentKernels == 1 && p.pciBusID == 1 && p.tccDriver == 0);
    CHECK(p.totalGlobalMem > 0 && p.canMapHostMemory == 1 && p.memoryBusWidth == 4096 && p.isLargeBar == 1);
    CHECK(p.maxTexture2D[1] == 16384 && p.maxTexture3D[2] == 8192 && p.managedMemory == 1 && p.asicRevision == 0);
    CHECK(p.arch.hasDoubles == 1 && p.arch.has3dGrid == 1 && p.arch.hasDynamicParallelism == 0);
    CHECK(p.pageableMemoryAccessUsesHostPageTables == 0);
    CHECK(attribute(hipDeviceAttributeWarpSize) == p.warpSize);
    CHECK(attribute(hipDeviceAttributeMultiprocessorCount) == p.multiProcessorCount);
    CHECK(attribute(hipDeviceAttributeMaxGridDimX) == p.maxGridSize[0] && p.maxGridSize[0] == 2147483647);
    CHECK(attribute(hipDeviceAttributeMaxBlockDimZ) == p.maxThreadsDim[2]);
    CHECK(attribute(hipDeviceAttributeComputeCapabilityMajor) == 9);
    CHECK(attribute(hipDeviceAttributeComputeCapabilityMinor) == 0);
    CHECK(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock) == 65536);
    CHECK(attribute(hipDeviceAttributeClockRate) == p.clockRate);
    CHECK(attribute(hipDeviceAttributeMemoryClockRate) == p.memoryClockRate);
    CHECK(attribute(hipDeviceAttributeMemoryBusWidth) == 4096);
    CHECK(attribute(hipDeviceAttributeMaxTexture3DDepth) == 8192);
    CHECK(attribute(hipDeviceAttributeL2CacheSize) == p.l2CacheSize);
    CHECK(attribute(hipDeviceAttributeCooperativeLaunch) == 1);
    CHECK(attribute(hipDeviceAttributeIsLargeBar) == 1);
    CHECK(attribute(hipDeviceAttributePciBusId) == 1 && attribute(hipDeviceAttributeManagedMemory) == 1);
    int none;
    FAILS(hipDeviceGetAttribute(&none, static_cast<hipDeviceAttribute_t>(5000), 0), hipErrorInvalidValue);
    FAILS(hipGetDeviceProperties(&device.value, 1), hipErrorInvalidDevice);

    Guarded<hipFuncAttributes> function;
    OK(hipFuncGetAttributes(&function.value, reinterpret_cast<const void*>(kernel)));
    CHECK(function.whole() && function.value.sharedSizeBytes == 400 && function.value.numRegs > 0);
    CHECK(function.value.maxThreadsPerBlock == 1024 && function.value.localSizeBytes == 0);
    CHECK(function.value.maxDynamicSharedSizeBytes == 65536 - 400);

    Guarded<hipPointerAttribute_t> pointer;
    int* memory;
    OK(hipMalloc(&memory, 4));
    OK(hipPointerGetAttributes(&pointer.value, memory));
    CHECK(pointer.whole() && pointer.value.devicePointer == memory && pointer.value.device == 0);
    CHECK(KIND(pointer.value) == hipMemoryTypeDevice && pointer.value.isManaged == 0);

    // A copy of the driver's, whose structure changed its sizes.
    char host[4][8], back[16] = {};
    for (int i = 0; i < 32; i++) host[i / 8][i % 8] = i;
    void* box;
    OK(hipMalloc(&box, 64));
    HIP_MEMCPY3D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = hipMemoryTypeHost;
    copy.srcHost = host;
    copy.srcPitch = 8;
    copy.srcHeight = 4;
    copy.srcXInBytes = 2;
    copy.srcY = 1;
    copy.dstMemoryType = hipMemoryTypeDevice;
    copy.dstDevice = reinterpret_cast<hipDeviceptr_t>(box);
    copy.dstPitch = 4;
    copy.dstHeight = 2;
    copy.WidthInBytes = 3;
    copy.Height = 2;
    copy.Depth = 1;
    OK(hipDrvMemcpy3D(&copy));
    OK(hipMemcpy(back, box, 16, hipMemcpyDeviceToHost));
    CHECK(back[0] == 10 && back[2] == 12 && back[3] == 0 && back[4] == 18 && back[6] == 20);

    int blocks = 0, grid = 0, block = 0;
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
    CHECK(blocks == 8);
    OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 32768 - 512));
    CHECK(blocks == 2);
    OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
    CHECK(block == 1024 && grid == 2 * 104);
    std::puts("all right");
    return 0;
}
