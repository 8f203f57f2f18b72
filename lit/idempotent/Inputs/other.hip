#include "markers.hpp"
__device__ int shared_work(int *p) {
  sqtt_scope scope("other");
  return p[0] * 3;
}
