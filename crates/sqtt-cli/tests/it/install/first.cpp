#include "units.hpp"
#include <markers.hpp>

__device__ int first(int n) {
  sqtt_scope guard("first unit");
  return n * 3;
}
