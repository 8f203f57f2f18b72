// M0 is the program's: asm sets it, advances it and reads it, with markers between, in one function and in functions of
// their own.
#define __global__ __attribute__((global))
#define DEVICE __attribute__((device, noinline))
#include "markers.hpp"

DEVICE void set(unsigned value) {
  asm volatile("s_mov_b32 m0, %0" ::"s"(__builtin_amdgcn_readfirstlane(value)) : "memory");
  sqtt_marker_point(400);
}
DEVICE void advance(unsigned by) {
  sqtt_marker_data("by", by);
  asm volatile("s_add_u32 m0, m0, %0" ::"s"(__builtin_amdgcn_readfirstlane(by)) : "memory", "scc");
}
DEVICE unsigned get() {
  unsigned value;
  sqtt_marker_point(401);
  asm volatile("s_mov_b32 %0, m0" : "=s"(value)::"memory");
  return value;
}

extern "C" __global__ void kern(const unsigned *in, unsigned *out, unsigned n) {
  const unsigned id = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  unsigned sum = id;
  for (unsigned round = 0; round < n; ++round) {
    const unsigned value = in[round];
    set(value);
    sqtt_marker_enter("round");
    advance(12);
    if (id & 1) sqtt_marker_point(402);
    out[id] = sum;
    sum = sum * 31 + get();
    sqtt_marker_exit("round");
    unsigned left;
    asm volatile("s_mov_b32 m0, %0" ::"s"(__builtin_amdgcn_readfirstlane(value ^ 5)) : "memory");
    sqtt_marker_data("round", round);
    __builtin_amdgcn_s_barrier();
    asm volatile("s_mov_b32 %0, m0" : "=s"(left)::"memory");
    sum ^= left;
  }
  out[id] = sum;
}
