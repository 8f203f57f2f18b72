// At -O0 too, where the id passes through the header's functions.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known

// CHECK: c"K:_Z1kPii\0AP:4:named\0A\00", section ".sqtt_funcmap"

#include "markers.hpp"

enum class Id : short { one = 1 };
__device__ void wrapper(unsigned id) { sqtt_marker_point(id); }
__global__ void k(int *p, int n) {
  sqtt_marker_enter(Id::one);
  p[0] = n;
  sqtt_marker_exit(Id::one);
  { sqtt_scope guard(2ull); }
  wrapper(3);
  sqtt_marker_point("named");
}
