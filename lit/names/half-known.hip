// Where one of two names is known it keeps its own, the other gets the fallback.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -g0 -Wno-error=backend-plugin -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.ll %only
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm -g0 -Wno-error=backend-plugin -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.ll %only
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -g0 -Wno-error=backend-plugin -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.ll %only
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm -g0 -Wno-error=backend-plugin -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.ll %only
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=sqtt:

// CHECK: {{U:1:known.0AU:2|U:1}}:unnamed marker at function _Z1kPii\0A
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata"
// CHECK: "s_ttracedata_imm 0x1"
// WARN: half-known.hip:{{[0-9]+:[0-9]+}}: warning: sqtt: the name of this marker is empty or not known at compile time; it is called "unnamed marker at function _Z1kPii" [-Winline-asm]

#include "markers.hpp"

__global__ void k(int *p, int n) {
  sqtt_marker_enter(n ? "known" : "");
  p[0] = n;
  sqtt_marker_exit("");
}
