// Every kind of numeric marker: these need no plugin.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#include "markers.hpp"

typedef unsigned u32;

enum Stage { stage_load = 900 };

static __device__ u32 leaves_early(u32 value, u32 lid) {
  sqtt_scope guard(21);
  if (lid % 4 == 1)
    return value + 1;
  sqtt_marker_point(22);
  return value * 3;
}

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void kern(const u32 *in, u32 *out, u32 n) {
  u32 lid = __builtin_amdgcn_workitem_id_x();
  u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + lid;
  u32 value = in[id];
  sqtt_marker_enter(5);
  value = value * 7 + n;
  sqtt_marker_exit(5);
  sqtt_marker_enter((short)6);
  sqtt_marker_point(7u);
  sqtt_marker_point(10ull);
  sqtt_marker_point(stage_load);
  sqtt_marker_point(100000 + n);
  sqtt_marker_point(200000 + lid);
  sqtt_marker_exit();
  {
    sqtt_scope guard(12u);
    value ^= 3;
  }
  value = leaves_early(value, lid);
  if (lid >= 32) {
    sqtt_marker_point(30);
    value += 100;
  }
  if (value == 0xFFFFFFFFu) {
    sqtt_marker_point(31);
    value = 1;
  }
  for (u32 k = 0; k < (lid & 3); ++k) {
    sqtt_marker_point(40 + k);
    value = value * 5 + k;
  }
  out[id] = value;
}
