// Elements of a vector that are chosen by number: the hardware finds the register through M0, and LLVM keeps M0 for the
// next one where it can. Markers through M0 stand between.
#define __global__ __attribute__((global))
#include "markers.hpp"

typedef unsigned Values __attribute__((ext_vector_type(16)));

extern "C" __global__ void kern(const unsigned *in, unsigned *out, unsigned n) {
  const unsigned id = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  Values values;
  for (int k = 0; k < 16; ++k) values[k] = in[(id + k) & 63] * (k + 3);
  unsigned sum = 0;
  for (unsigned round = 0; round < n; ++round) {
    const unsigned at = in[round] & 15;
    sqtt_marker_enter(400);
    sum += values[at];
    sqtt_marker_point(401);
    sum = sum * 31 + values[at] + values[(at + 1) & 15];
    sqtt_marker_point(401);
    values[at] = sum;
    sqtt_marker_exit();
    if (round & 1) {
      sqtt_marker_point(402);
      sum += values[at];
    } else {
      sum ^= values[at];
      sqtt_marker_point(402);
    }
    sum += values[at];
  }
  out[id] = sum;
}
