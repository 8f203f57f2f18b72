// Allocations, copies, fills, variables, arrays, and what is said about pointers.
#include "check.h"
#include <vector>

__device__ int counter = 5;
__constant__ float factors[4] = {1, 2, 3, 4};

__global__ void scale(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * factors[i & 3];
    if (i == 0) counter += n;
}

static void lines() {
    const int n = 1000;
    std::vector<float> host(n), back(n);
    for (int i = 0; i < n; i++) host[i] = i;
    float *a, *b;
    OK(hipMalloc(&a, n * sizeof(float)));
    OK(hipMalloc(&b, n * sizeof(float)));
    OK(hipMemcpy(a, host.data(), n * sizeof(float), hipMemcpyHostToDevice));
    scale<<<(n + 255) / 256, 256>>>(b, a, n);
    OK(hipGetLastError());
    OK(hipMemcpy(back.data(), b, n * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) CHECK(back[i] == i * float(i % 4 + 1));
    int value = 0;
    OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value));
    CHECK(value == 1005);
    const float others[2] = {10, 20};
    OK(hipMemcpyToSymbol(HIP_SYMBOL(factors), others, sizeof others, 8));
    scale<<<(n + 255) / 256, 256>>>(b, a, n);
    OK(hipMemcpy(back.data(), b, n * sizeof(float), hipMemcpyDeviceToHost));
    CHECK(back[2] == 20 && back[3] == 60 && back[1] == 2);
    void* address;
    size_t size;
    OK(hipGetSymbolAddress(&address, HIP_SYMBOL(counter)));
    OK(hipGetSymbolSize(&size, HIP_SYMBOL(factors)));
    CHECK(size == 16);
    OK(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
    CHECK(value == 2005);
    OK(hipMemset(b, 0xff, 8));
    OK(hipMemsetD32(reinterpret_cast<hipDeviceptr_t>(b + 2), 0x3f800000, 2));
    OK(hipMemcpy(back.data(), b, 20, hipMemcpyDefault));
    CHECK(back[2] == 1 && back[3] == 1 && std::memcmp(&back[0], "\xff\xff\xff\xff", 4) == 0);
    OK(hipFree(a));
    OK(hipFree(b));
    OK(hipFree(nullptr));
    FAILS(hipMemcpy(back.data(), host.data(), 4, static_cast<hipMemcpyKind>(77)), hipErrorInvalidMemcpyDirection);
    FAILS(hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
    FAILS(hipMalloc(&a, size_t(1) << 60), hipErrorOutOfMemory);
    CHECK(hipGetLastError() == hipErrorOutOfMemory && hipGetLastError() == hipSuccess);
}

static void rows() {
    char *device, host[5][16], back[5][16];
    size_t pitch;
    OK(hipMallocPitch(reinterpret_cast<void**>(&device), &pitch, 10, 5));
    CHECK(pitch >= 10 && pitch % 64 == 0);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 16; x++) host[y][x] = y * 16 + x, back[y][x] = -1;
    OK(hipMemcpy2D(device, pitch, host, 16, 10, 5, hipMemcpyHostToDevice));
    OK(hipMemset2D(device + 2, pitch, 7, 3, 2));
    OK(hipMemcpy2D(back, 16, device, pitch, 10, 5, hipMemcpyDeviceToHost));
    CHECK(back[4][9] == 73 && back[4][10] == -1 && back[0][2] == 7 && back[1][4] == 7 && back[2][2] == 34);
    OK(hipFree(device));

    hipPitchedPtr box;
    OK(hipMalloc3D(&box, make_hipExtent(8, 4, 3)));
    std::vector<char> cube(8 * 4 * 3), out(8 * 4 * 3);
    for (size_t i = 0; i < cube.size(); i++) cube[i] = i;
    hipMemcpy3DParms parms = {};
    parms.srcPtr = make_hipPitchedPtr(cube.data(), 8, 8, 4);
    parms.dstPtr = box;
    parms.extent = make_hipExtent(8, 4, 3);
    parms.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&parms));
    hipMemcpy3DParms part = {};
    part.srcPtr = box;
    part.srcPos = make_hipPos(2, 1, 1);
    part.dstPtr = make_hipPitchedPtr(out.data(), 8, 8, 4);
    part.extent = make_hipExtent(3, 2, 2);
    part.kind = hipMemcpyDeviceToHost;
    OK(hipMemcpy3D(&part));
    CHECK(out[0] == cube[32 + 8 + 2] && out[8 + 2] == cube[32 + 16 + 4] && out[32] == cube[64 + 8 + 2] && out[3] == 0);
    OK(hipFree(box.ptr));
}

static void arrays() {
    hipChannelFormatDesc channels = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
    hipArray* array;
    OK(hipMallocArray(&array, &channels, 8, 4));
    float host[4][8], back[4][8] = {};
    for (int i = 0; i < 32; i++) host[i / 8][i % 8] = i;
    OK(hipMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, hipMemcpyHostToDevice));
    OK(hipMemcpy2DFromArray(back, 32, array, 8, 1, 16, 2, hipMemcpyDeviceToHost));
    CHECK(back[0][0] == 10 && back[1][3] == 21 && back[0][4] == 0);
    hipChannelFormatDesc same;
    OK(hipGetChannelDesc(&same, array));
    CHECK(same.x == 32 && same.f == hipChannelFormatKindFloat);
    OK(hipFreeArray(array));
}

static void pointers() {
    int *device, *pinned, *managed;
    OK(hipMalloc(&device, 400));
    OK(hipHostMalloc(&pinned, 400, 0));
    OK(hipMallocManaged(&managed, 400));
    hipPointerAttribute_t told;
    OK(hipPointerGetAttributes(&told, device + 3));
    CHECK(KIND(told) == hipMemoryTypeDevice && told.devicePointer == device + 3 && told.hostPointer == nullptr);
    OK(hipPointerGetAttributes(&told, pinned));
    CHECK(KIND(told) == hipMemoryTypeHost && told.hostPointer == pinned && !told.isManaged);
    OK(hipPointerGetAttributes(&told, managed));
    CHECK(told.isManaged);
    void* base;
    size_t size;
    OK(hipMemGetAddressRange(reinterpret_cast<hipDeviceptr_t*>(&base), &size, reinterpret_cast<hipDeviceptr_t>(device + 9)));
    CHECK(base == device && size == 400);
    // The program's own memory, which devices see while it is registered.
    std::vector<float> own(64, 2);
    float* seen;
    OK(hipHostRegister(own.data(), own.size() * sizeof(float), 0));
    FAILS(hipHostRegister(own.data(), 4, 0), hipErrorHostMemoryAlreadyRegistered);
    OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&seen), own.data(), 0));
    scale<<<1, 64>>>(seen, seen, 64);
    OK(hipDeviceSynchronize());
    CHECK(own[0] == 2 && own[1] == 4);
    OK(hipHostUnregister(own.data()));
    FAILS(hipHostUnregister(own.data()), hipErrorHostMemoryNotRegistered);
    size_t free, total, after;
    OK(hipMemGetInfo(&free, &total));
    OK(hipFree(device));
    OK(hipMemGetInfo(&after, &total));
    CHECK(after == free + 400 && after <= total);
    OK(hipHostFree(pinned));
    OK(hipFree(managed));
}

static void pools() {
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    char* memory;
    OK(hipMallocAsync(reinterpret_cast<void**>(&memory), 1000, stream));
    OK(hipMemsetAsync(memory, 3, 1000, stream));
    hipMemPool_t pool;
    OK(hipDeviceGetDefaultMemPool(&pool, 0));
    uint64_t used = 0;
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 1000);
    OK(hipFreeAsync(memory, stream));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 0);
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemHigh, &used));
    CHECK(used == 1000);
    OK(hipStreamDestroy(stream));
}

int main() {
    lines();
    rows();
    arrays();
    pointers();
    pools();
    std::puts("all right");
    return 0;
}
