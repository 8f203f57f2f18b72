// One marker per wave: what is paid once shows in full.
#include "kernel.hpp"
#include "markers.hpp"

extern "C" __global__ void once(const unsigned *in, unsigned *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned value = in[i];
#if !SQTT_ENABLED
#elif defined(THROUGH_M0)
  __builtin_amdgcn_s_ttracedata(100 << 2);
#else
  sqtt_marker_point("once");
#endif
  out[i] = value * 3 + 1;
}
