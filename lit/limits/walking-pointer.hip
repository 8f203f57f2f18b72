// A pointer that walks along a literal is not unrolled into one phi per byte and step. (With three different steps
// these few lines become 19 million phis and 1.2 GB of IR.)
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o %t.ll
// RUN: grep -c 'phi i32' %t.ll | %FileCheck %s

// CHECK: {{^[0-9]?[0-9]$}}

#include "markers.hpp"

__global__ void k(int *p, int n) {
  const char *name = "abcdefghijklmnopqrstuvwxyz";
  for (int i = 0; i < n; ++i) {
    sqtt_marker_point(name);
    p[i] += 1;
    if (p[i])
      ++name;
    if (p[i] == 7)
      name += 3;
  }
}
