// A marker without a name that was copied twelve times is told of once, and with debug information of eight of the calls
// that lead to it.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=ONCE
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=ONCE
// RUN: %hip{O0} -g --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=DEBUG
// RUN: %hip{O2} -g --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=DEBUG

// ONCE: many-copies.hip:[[#@LINE+8]]:3: warning: sqtt: the name of this marker
// ONCE: {{^}}1 warning generated
// DEBUG-COUNT-8: many-copies.hip:[[#@LINE+6]]:3: warning: sqtt: the name of this marker
// DEBUG: many-copies.hip:[[#@LINE+5]]:3: warning: sqtt: the same for 4 more ways to this marker
// DEBUG: {{^}}9 warnings generated

#include "markers.hpp"
__device__ __attribute__((always_inline)) inline void copied(const char *name) {
  sqtt_marker_point(name);
}
__global__ void k(const char **names) {
  copied(names[0]);
  copied(names[1]);
  copied(names[2]);
  copied(names[3]);
  copied(names[4]);
  copied(names[5]);
  copied(names[6]);
  copied(names[7]);
  copied(names[8]);
  copied(names[9]);
  copied(names[10]);
  copied(names[11]);
}
