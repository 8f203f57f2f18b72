// A recursive function whose name is an argument cannot be inlined: fallback, warning, and the compile succeeds.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}sqtt_'
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin -Wno-error=inline-asm %s -o - | %FileCheck %s --implicit-check-not='call{{.*}}sqtt_'

// CHECK: c"K:_Z1kPii\0AU:1:unnamed marker at function _Z4walkPKciPi\0A\00"
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"

#include "markers.hpp"

__device__ void walk(const char *name, int n, int *p) {
  sqtt_marker_enter(name);
  if (n > 0) {
    walk("again", n - 1, p);
    walk("and again", n - 2, p + 1);
  }
  ++*p;
  sqtt_marker_exit(name);
}
__global__ void k(int *p, int n) { walk("first", n, p); }
