// The same source gives the same bytes.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.1
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.1
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.1
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.1
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -fuse-cuid=none %s -o %t.2
// RUN: diff %t.1 %t.2


#include "markers.hpp"

__device__ void mark(const char *name) { sqtt_marker_point(name); }
__global__ void k(int *p, int n) {
  mark("a"); mark("b"); mark(n ? "c" : "d"); mark("e");
  p[0] = n;
}
__global__ void l(int *p, int n) {
  mark("f"); mark("a"); mark(n ? "g" : "h"); mark("e");
  p[0] = n;
}
