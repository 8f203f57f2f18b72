// Names in members of a local struct, by value and behind a pointer.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:member\0AP:2:neighbour\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: "s_ttracedata_imm 0x8"

#include "markers.hpp"

struct Stage { int number; const char *name; const char *other; };
__global__ void k(int *p, int n) {
  Stage stage{n, "member", "neighbour"};
  const Stage *pointer = &stage;
  sqtt_marker_point(stage.name);
  p[0] = stage.number;
  sqtt_marker_point(pointer->other);
}
