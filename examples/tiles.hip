// A tiled matrix multiplication with every kind of marker: a guard, named scopes, a point, a data marker.
//
//   hipcc --offload-arch=gfx1100 -O2 -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so examples/tiles.hip -o tiles
//
// Without ROCm, the device half alone:
//
//   clang-22 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=gfx1100 -O2 -nogpuinc -nogpulib \
//     -DWITHOUT_HIP_RUNTIME -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so examples/tiles.hip -o tiles.co
#include "kernel.hpp"
#include "markers.hpp"

constexpr unsigned TILE = 16;

// c = a * b for square matrices of n * n floats, n a multiple of TILE. One workgroup of TILE * TILE threads per tile.
extern "C" __global__ void multiply_tiles(const float *a, const float *b, float *c, unsigned n) {
  sqtt_scope whole("multiply"); // ends with the kernel, on every way out
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned row = blockIdx.y * TILE + y;
  const unsigned column = blockIdx.x * TILE + x;
  float sum = 0;
  for (unsigned tile = 0; tile < n / TILE; ++tile) {
    sqtt_marker_data("tile", tile); // one event with a 32-bit value

    sqtt_marker_enter("load");
    tile_a[y][x] = a[row * n + tile * TILE + x];
    tile_b[y][x] = b[(tile * TILE + y) * n + column];
    __syncthreads();
    sqtt_marker_exit("load");
    sqtt_marker_enter("compute"); // directly after an exit: the two become one record
    for (unsigned k = 0; k < TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
    sqtt_marker_exit("compute");
  }
  sqtt_marker_point("store");
  c[row * n + column] = sum;
}

#ifndef WITHOUT_HIP_RUNTIME
#include <cmath>
#include <cstdio>
#include <vector>

static void check(hipError_t status, const char *what) {
  if (status == hipSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(1);
}

int main() {
  const unsigned n = 256;
  const size_t bytes = size_t(n) * n * sizeof(float);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (unsigned i = 0; i < n * n; ++i) {
    a[i] = float(i % 7);
    b[i] = float(i % 5);
  }
  float *device_a, *device_b, *device_c;
  check(hipMalloc(reinterpret_cast<void **>(&device_a), bytes), "hipMalloc");
  check(hipMalloc(reinterpret_cast<void **>(&device_b), bytes), "hipMalloc");
  check(hipMalloc(reinterpret_cast<void **>(&device_c), bytes), "hipMalloc");
  check(hipMemcpy(device_a, a.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  check(hipMemcpy(device_b, b.data(), bytes, hipMemcpyHostToDevice), "hipMemcpy");
  hipLaunchKernelGGL(multiply_tiles, dim3(n / TILE, n / TILE), dim3(TILE, TILE), 0, 0, device_a, device_b, device_c, n);
  check(hipGetLastError(), "launch");
  check(hipMemcpy(c.data(), device_c, bytes, hipMemcpyDeviceToHost), "hipMemcpy");
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      if (std::fabs(sum - c[row * n + column]) > 1e-3f * (1 + std::fabs(sum))) {
        std::fprintf(stderr, "wrong at row %u, column %u: %g, expected %g\n", row, column, double(c[row * n + column]),
                     double(sum));
        return 1;
      }
    }
  std::puts("the product is right");
  return 0;
}
#endif
