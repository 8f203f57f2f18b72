// A name that a constructor stored in an object, at -O0.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:stage\0A\00", section ".sqtt_funcmap"
// CHECK: "s_ttracedata_imm 0x4"

#include "markers.hpp"

struct Stage {
  const char *name;
  __device__ explicit Stage(const char *text) : name(text) {}
};
__global__ void k(int *p, int n) {
  Stage stage("stage");
  sqtt_marker_point(stage.name);
  p[0] = n;
}
