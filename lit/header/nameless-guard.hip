// A guard without a name ends at once, and its scope is empty: clang warns of it, on the device and on the host, with
// markers and without, from C++17 on. One with a name is right.
// RUN: %plainhip -DSQTT_ENABLED=1 --offload-arch=gfx1100 -fsyntax-only -Xclang -verify %s
// RUN: %plainhip -DSQTT_ENABLED=0 --offload-arch=gfx1100 -fsyntax-only -Xclang -verify %s
// RUN: %plainhip -std=c++17 -pedantic -DSQTT_ENABLED=1 --offload-arch=gfx1100 -fsyntax-only -Xclang -verify %s
#include "markers.hpp"
extern "C" __global__ void k(int *p, int n) {
  sqtt_scope("x"); // expected-error {{ignoring temporary}}
  sqtt_scope(5);   // expected-error {{ignoring temporary}}
  sqtt_scope guard("y");
  sqtt_scope number(6);
  p[0] = n;
}
