// Textures of one to three dimensions in every address mode, of arrays, memory and rows with a pitch; surfaces.
#include "check.h"
#include <cmath>
#include <vector>

// Surfaces of integers hold floats by the headers of HIP 5.
#if HIP_VERSION_MAJOR < 6
using Element = float2;
#else
using Element = short2;
#endif
static Element element(int x, int y) {
    Element both;
    both.x = x, both.y = y;
    return both;
}

#if !defined(__HIP_NO_IMAGE_SUPPORT) || !__HIP_NO_IMAGE_SUPPORT
template <class T, int D> __global__ void sample(T* out, const float* at, int n, hipTextureObject_t texture) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *p = at + 3 * i;
    if (D == 1) out[i] = tex1D<T>(texture, p[0]);
    if (D == 2) out[i] = tex2D<T>(texture, p[0], p[1]);
    if (D == 3) out[i] = tex3D<T>(texture, p[0], p[1], p[2]);
    if (D == 4) out[i] = tex2DLayered<T>(texture, p[0], p[1], int(p[2]));
}
template <class T> __global__ void fetch(T* out, int n, hipTextureObject_t texture) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<T>(texture, i - 2);
}
__global__ void turn(hipSurfaceObject_t to, hipSurfaceObject_t from, int width, int height) {
    const int x = threadIdx.x, y = threadIdx.y;
    Element value;
    surf2Dread(&value, from, int(x * sizeof(Element)), y);
    value.y += 1;
    surf2Dwrite(value, to, int((width - 1 - x) * sizeof(Element)), height - 1 - y);
}
#else
template <class T, int D> __global__ void sample(T*, const float*, int, hipTextureObject_t) {}
template <class T> __global__ void fetch(T*, int, hipTextureObject_t) {}
__global__ void turn(hipSurfaceObject_t, hipSurfaceObject_t, int, int) {}
#endif

// The texel for an index of one dimension, or -1 outside of a border.
static int index(int at, int size, hipTextureAddressMode mode) {
    if (mode == hipAddressModeWrap) return (at % size + size) % size;
    if (mode == hipAddressModeClamp) return at < 0 ? 0 : at >= size ? size - 1 : at;
    if (mode == hipAddressModeBorder) return at < 0 || at >= size ? -1 : at;
    const int twice = (at % (2 * size) + 2 * size) % (2 * size);
    return twice < size ? twice : 2 * size - 1 - twice;
}

// A sample of a box of floats.
static float reference(const std::vector<float>& box, const int* size, const float* at, const hipTextureDesc& how) {
    int first[3] = {0, 0, 0}, weight[3] = {0, 0, 0};
    for (int k = 0; k < 3 && size[k]; k++) {
        double texels = how.normalizedCoords ? double(at[k]) * size[k] : double(at[k]);
        if (how.filterMode == hipFilterModeLinear) {
            const long fixed = std::lrint((texels - 0.5) * 256);
            first[k] = int(fixed >> 8), weight[k] = int(fixed & 255);
        } else {
            // The device library rounds down before it samples.
            first[k] = int(std::floor(how.normalizedCoords ? double(at[k] * float(size[k])) : texels));
        }
    }
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double part = 1;
        int to[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            part *= (corner >> k & 1 ? weight[k] : 256 - weight[k]) / 256.0;
            if (size[k]) to[k] = index(first[k] + (corner >> k & 1), size[k], how.addressMode[k]);
        }
        if (part == 0 || to[0] < 0 || to[1] < 0 || to[2] < 0) continue;
        sum += part * box[(to[2] * (size[1] ? size[1] : 1) + to[1]) * size[0] + to[0]];
    }
    return float(sum);
}

template <int D> static void dimensions(const int (&size)[3]) {
    const int n = 257, height = size[1] ? size[1] : 1, depth = size[2] ? size[2] : 1;
    std::vector<float> box(size[0] * height * depth), at(3 * n), got(n);
    for (size_t i = 0; i < box.size(); i++) box[i] = float(i * 2654435761u % 1021);
    const hipChannelFormatDesc channels = hipCreateChannelDesc<float>();
    hipArray_t array;
    if (D == 3) {
        OK(hipMalloc3DArray(&array, &channels, make_hipExtent(size[0], size[1], size[2]), hipArrayDefault));
        hipMemcpy3DParms copy = {};
        copy.srcPtr = make_hipPitchedPtr(box.data(), size[0] * sizeof(float), size[0], size[1]);
        copy.dstArray = array;
        copy.extent = make_hipExtent(size[0], size[1], size[2]);
        copy.kind = hipMemcpyHostToDevice;
        OK(hipMemcpy3D(&copy));
    } else {
        OK(hipMallocArray(&array, &channels, size[0], size[1], hipArrayDefault));
        const size_t row = size[0] * sizeof(float);
        OK(hipMemcpy2DToArray(array, 0, 0, box.data(), row, row, height, hipMemcpyHostToDevice));
    }
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    float *places, *out;
    OK(hipMalloc(&places, at.size() * sizeof(float)));
    OK(hipMalloc(&out, n * sizeof(float)));
    for (int mode = 0; mode < 16; mode++) {
        hipTextureDesc how = {};
        how.normalizedCoords = mode < 12;
        for (int k = 0; k < 3; k++)
            how.addressMode[k] = hipTextureAddressMode(how.normalizedCoords ? (mode + k) % 4 : k % 2 ? 3 : 1);
        how.filterMode = mode & 4 ? hipFilterModeLinear : hipFilterModePoint;
        for (int i = 0; i < 3 * n; i++) {
            const float u = float(i * 40503u % 1000) / 400 - 0.75f;
            at[i] = how.normalizedCoords ? u : u * (size[i % 3] ? size[i % 3] : 1);
        }
        hipTextureObject_t texture;
        OK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
        OK(hipMemcpy(places, at.data(), at.size() * sizeof(float), hipMemcpyHostToDevice));
        sample<float, D><<<(n + 63) / 64, 64>>>(out, places, n, texture);
        OK(hipMemcpy(got.data(), out, n * sizeof(float), hipMemcpyDeviceToHost));
        for (int i = 0; i < n; i++) {
            const float want = reference(box, size, &at[3 * i], how);
            if (got[i] != want)
                std::fprintf(stderr, "%dD, case %d, at %g %g %g: %g, not %g\n", D, mode, at[3 * i], at[3 * i + 1],
                             at[3 * i + 2], got[i], want);
            CHECK(got[i] == want);
        }
        hipResourceDesc resource_again;
        hipTextureDesc how_again;
        OK(hipGetTextureObjectResourceDesc(&resource_again, texture));
        OK(hipGetTextureObjectTextureDesc(&how_again, texture));
        CHECK(resource_again.res.array.array == array && std::memcmp(&how, &how_again, sizeof how) == 0);
        OK(hipDestroyTextureObject(texture));
        FAILS(hipDestroyTextureObject(texture), hipErrorInvalidValue);
    }
    OK(hipFreeArray(array));
    OK(hipFree(places));
    OK(hipFree(out));
}

// Memory without rows, read by index: nothing but zeros outside.
static void linear() {
    const int n = 100;
    std::vector<char4> values(n), got(n + 4);
    std::vector<float> halves(n), floats(n + 4);
    std::vector<unsigned short> shorts(n);
    for (int i = 0; i < n; i++) {
        values[i] = make_char4(char(i), char(-i), char(2 * i), 7);
        shorts[i] = (unsigned short)(600 * i);
    }
    void* memory;
    char4* out;
    OK(hipMalloc(&memory, n * sizeof(char4)));
    OK(hipMalloc(&out, (n + 4) * sizeof(char4)));
    OK(hipMemcpy(memory, values.data(), n * sizeof(char4), hipMemcpyHostToDevice));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = hipCreateChannelDesc<char4>();
    resource.res.linear.sizeInBytes = n * sizeof(char4);
    hipTextureDesc how = {};
    hipTextureObject_t texture;
    OK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
    fetch<char4><<<2, 64>>>(out, n + 4, texture);
    OK(hipMemcpy(got.data(), out, got.size() * sizeof(char4), hipMemcpyDeviceToHost));
    for (int i = 0; i < n + 4; i++) {
        const bool inside = i >= 2 && i < n + 2;
        CHECK(inside ? std::memcmp(&got[i], &values[i - 2], 4) == 0 : got[i].x == 0 && got[i].w == 0);
    }
    OK(hipDestroyTextureObject(texture));
    // The same with numbers from 0 to 1.
    OK(hipMemcpy(memory, shorts.data(), n * sizeof(short), hipMemcpyHostToDevice));
    resource.res.linear.desc = hipCreateChannelDesc<unsigned short>();
    resource.res.linear.sizeInBytes = n * sizeof(short);
    how.readMode = hipReadModeNormalizedFloat;
    OK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
    fetch<float><<<2, 64>>>((float*)out, n + 4, texture);
    OK(hipMemcpy(floats.data(), out, floats.size() * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) CHECK(floats[i + 2] == float(shorts[i]) / 65535);
    OK(hipDestroyTextureObject(texture));
    OK(hipFree(memory));
    OK(hipFree(out));
}

// Rows with a pitch, whose elements are integers; layers.
static void rows() {
    const int width = 5, height = 4, layers = 3, n = width * height * layers;
    std::vector<int2> values(n), got(n);
    std::vector<float> at(3 * n);
    for (int i = 0; i < n; i++) {
        values[i] = make_int2(i, -1000 * i);
        at[3 * i] = i % width + 0.5f, at[3 * i + 1] = i / width % height + 0.5f, at[3 * i + 2] = i / width / height;
    }
    void* memory;
    size_t pitch;
    int2* out;
    float* places;
    OK(hipMallocPitch(&memory, &pitch, width * sizeof(int2), height));
    OK(hipMalloc(&out, n * sizeof(int2)));
    OK(hipMalloc(&places, at.size() * sizeof(float)));
    OK(hipMemcpy(places, at.data(), at.size() * sizeof(float), hipMemcpyHostToDevice));
    const size_t row = width * sizeof(int2);
    OK(hipMemcpy2D(memory, pitch, values.data(), row, row, height, hipMemcpyHostToDevice));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = hipCreateChannelDesc<int2>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    hipTextureDesc how = {};
    hipTextureObject_t texture;
    OK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
    sample<int2, 2><<<1, 64>>>(out, places, width * height, texture);
    OK(hipMemcpy(got.data(), out, got.size() * sizeof(int2), hipMemcpyDeviceToHost));
    CHECK(std::memcmp(got.data(), values.data(), width * height * sizeof(int2)) == 0);
    OK(hipDestroyTextureObject(texture));
    how.filterMode = hipFilterModeLinear;
    FAILS(hipCreateTextureObject(&texture, &resource, &how, nullptr), hipErrorInvalidValue);
    how.filterMode = hipFilterModePoint;
    resource.res.pitch2D.pitchInBytes = row;
    FAILS(hipCreateTextureObject(&texture, &resource, &how, nullptr), hipErrorInvalidValue);

    hipArray_t array;
    OK(hipMalloc3DArray(&array, &resource.res.pitch2D.desc, make_hipExtent(width, height, layers), hipArrayLayered));
    hipMemcpy3DParms copy = {};
    copy.srcPtr = make_hipPitchedPtr(values.data(), row, width, height);
    copy.dstArray = array;
    copy.extent = make_hipExtent(width, height, layers);
    copy.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&copy));
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    OK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
    sample<int2, 4><<<1, 64>>>(out, places, n, texture);
    OK(hipMemcpy(got.data(), out, got.size() * sizeof(int2), hipMemcpyDeviceToHost));
    CHECK(std::memcmp(got.data(), values.data(), n * sizeof(int2)) == 0);
    OK(hipDestroyTextureObject(texture));
    OK(hipFreeArray(array));
    OK(hipFree(memory));
    OK(hipFree(places));
    OK(hipFree(out));
}

static void surfaces() {
    const int width = 7, height = 5;
    std::vector<Element> values(width * height), got(width * height);
    for (int i = 0; i < width * height; i++) values[i] = element(i, -3 * i);
    const hipChannelFormatDesc channels = hipCreateChannelDesc<Element>();
    hipArray_t arrays[2];
    hipSurfaceObject_t surfaces[2];
    for (int k = 0; k < 2; k++) {
        OK(hipMallocArray(&arrays[k], &channels, width, height, hipArraySurfaceLoadStore));
        hipResourceDesc resource = {};
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = arrays[k];
        OK(hipCreateSurfaceObject(&surfaces[k], &resource));
    }
    const size_t row = width * sizeof(Element);
    OK(hipMemcpy2DToArray(arrays[0], 0, 0, values.data(), row, row, height, hipMemcpyHostToDevice));
    turn<<<1, dim3(width, height)>>>(surfaces[1], surfaces[0], width, height);
    OK(hipMemcpy2DFromArray(got.data(), row, arrays[1], 0, 0, row, height, hipMemcpyDeviceToHost));
    for (int i = 0; i < width * height; i++) {
        const Element from = values[width * height - 1 - i];
        CHECK(got[i].x == from.x && got[i].y == from.y + 1);
    }
    for (int k = 0; k < 2; k++) {
        OK(hipDestroySurfaceObject(surfaces[k]));
        OK(hipFreeArray(arrays[k]));
    }
}

int main() {
    int images;
    OK(hipDeviceGetAttribute(&images, hipDeviceAttributeImageSupport, 0));
    if (!images) {
        hipResourceDesc resource = {};
        hipTextureDesc how = {};
        hipTextureObject_t texture;
        FAILS(hipCreateTextureObject(&texture, &resource, &how, nullptr), hipErrorNotSupported);
        std::puts("no images");
        return 0;
    }
    dimensions<1>({37, 0, 0});
    dimensions<2>({37, 11, 0});
    dimensions<3>({7, 5, 3});
    linear();
    rows();
    surfaces();
    std::puts("all right");
}
