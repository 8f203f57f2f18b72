// The C part of the header.
#include "markers.h"

enum number { seven = 7 };

__attribute__((amdgpu_kernel)) void kern(const unsigned *in, unsigned *out, unsigned n) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  sqtt_marker_enter("scope");
  sqtt_marker_point(seven);
  sqtt_marker_data("float", 1.5f);
  sqtt_marker_data("double", -0.1);
  sqtt_marker_data("unsigned", in[0]);
  sqtt_marker_data("long", -2l);
  out[lane] = n;
  sqtt_marker_exit("scope");
  sqtt_marker_enter(100);
  out[lane] += 1;
  sqtt_marker_exit(100);
  sqtt_marker_point(n ? "some" : "none");
}
