#include "units.hpp"
#include <sqtt_markers.h>

__device__ int second(int n) {
  SQTT_SCOPED_MARKER("second unit");
  return n + 5;
}
