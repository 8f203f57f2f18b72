// The address of an overload compiles with the markers on, and so it does with them off.
// RUN: %plainhip --offload-arch=gfx1100 -std=c++11 -DSQTT_ENABLED=1 -fsyntax-only %s
// RUN: %plainhip --offload-arch=gfx1100 -std=c++11 -DSQTT_ENABLED=0 -fsyntax-only %s

#include "markers.hpp"

__global__ void k(int *p, int n) {
  void (*mark)(const char *) = sqtt_marker_point;
  mark("x");
  p[0] = n;
}
