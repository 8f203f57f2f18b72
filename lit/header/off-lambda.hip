// A lambda among the arguments, before C++20 compiles with the markers on, and so it does with them off.
// RUN: %plainhip --offload-arch=gfx1100 -std=c++17 -DSQTT_ENABLED=1 -fsyntax-only %s
// RUN: %plainhip --offload-arch=gfx1100 -std=c++17 -DSQTT_ENABLED=0 -fsyntax-only %s

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_data("x", [=] { return n * 2; }());
  sqtt_marker_exit("x");
  p[0] = n;
}
