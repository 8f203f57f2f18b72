// The C part of the header in OpenCL C: names are in constant memory.
#include "markers.h"

__constant char place[] = "scope";
enum number { seven = 7 };

__attribute__((reqd_work_group_size(64, 1, 1))) __kernel void kern(__global const unsigned *in, __global unsigned *out,
                                                                   unsigned n) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  sqtt_marker_enter(place);
  sqtt_marker_point(seven);
  sqtt_marker_data("float", 1.5f);
  sqtt_marker_data("double", -0.1);
  sqtt_marker_data("unsigned", in[0]);
  sqtt_marker_data("long", -2l);
  out[lane] = n;
  sqtt_marker_exit(place);
  sqtt_marker_enter(100);
  out[lane] += 1;
  sqtt_marker_exit(100);
  sqtt_marker_point(n ? "some" : "none");
}
