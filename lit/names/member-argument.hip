// A struct that carries the name into a function, by value and by reference.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:value\0AP:2:reference\0A\00", section ".sqtt_funcmap"
// CHECK: "s_ttracedata_imm 0x4"
// CHECK: "s_ttracedata_imm 0x8"

#include "markers.hpp"

struct Stage { int number; const char *name; };
__device__ void by_value(Stage stage) { sqtt_marker_point(stage.name); }
__device__ void by_reference(const Stage &stage) { sqtt_marker_point(stage.name); }
__global__ void k(int *p, int n) {
  by_value(Stage{n, "value"});
  p[0] = n;
  by_reference(Stage{n, "reference"});
}
