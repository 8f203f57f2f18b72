// enter(0) is the reserved no-op whose exit still pops: a warning, the marker stays.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=backend-plugin %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %FileCheck %s --input-file=%t.ll

// WARN: warning: sqtt: {{.*}}entering scope 0 records a reserved word that decoders ignore
// CHECK: {{s_mov_b32 m0, (0x2|\$1)}}

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter(0);
  p[0] = n;
  sqtt_marker_exit(0);
}
