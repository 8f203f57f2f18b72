// RCCL's names of markers in a kernel: scopes, a branch, values, and guards, of which one line makes two.
#include "kernel.hpp"
#include "sqtt_markers.h"

#define TWO_GUARDS(outer, inner) SQTT_SCOPED_MARKER(outer); SQTT_MARKER_SCOPED(inner)

static __device__ unsigned doubled(unsigned value) {
  SQTT_SCOPED_MARKER("double");
  return value * 2;
}

extern "C" __global__ void kernel(unsigned *data) {
  SQTT_MARKER_ENTER("load");
  unsigned value = data[threadIdx.x];
  SQTT_MARKER_EXIT("load");
  SQTT_MARKER_DATA("blocks", static_cast<unsigned>(blockIdx.x) + 7);
  if (value != ~0u)
    SQTT_MARKER_POINT("some");
  else
    SQTT_MARKER_POINT("none");
  {
    TWO_GUARDS("outer", "inner");
    value = doubled(value);
  }
  data[threadIdx.x] = value;
}
