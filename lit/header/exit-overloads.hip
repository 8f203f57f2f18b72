// exit without anything, with any number and with a name is the word 1, in the short form where the target has it.
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK-COUNT-8: "s_ttracedata_imm 0x1"

#include "markers.hpp"

enum Id { id = 3 };
__global__ void k(int *p, int n) {
  sqtt_marker_exit();
  sqtt_marker_exit(0);
  sqtt_marker_exit(0u);
  sqtt_marker_exit(0ull);
  sqtt_marker_exit('x');
  sqtt_marker_exit(id);
  sqtt_marker_exit(n);
  sqtt_marker_exit("name");
  p[0] = n;
}
