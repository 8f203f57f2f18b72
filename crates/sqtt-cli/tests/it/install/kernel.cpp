#include "units.hpp"
#include <cstdio>
#include <markers.hpp>

#ifdef ONE_UNIT
#include "first.cpp"
#include "second.cpp"
#endif

__global__ void kernel(int *p) {
  sqtt_marker_enter("kernel unit");
  p[threadIdx.x] = second(first(p[threadIdx.x]));
  sqtt_marker_exit("kernel unit");
}

int main() {
  int host[64], *p = nullptr;
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  if (hipMalloc(&p, sizeof host) != hipSuccess)
    return 2;
  if (hipMemcpy(p, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess)
    return 3;
  hipLaunchKernelGGL(kernel, dim3(1), dim3(64), 0, 0, p);
  if (hipMemcpy(host, p, sizeof host, hipMemcpyDeviceToHost) != hipSuccess)
    return 4;
  for (int i = 0; i < 64; ++i)
    if (host[i] != i * 3 + 5)
      return 5;
  std::puts("right");
}
