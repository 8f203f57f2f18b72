// What a marker holds from the moment it is written: reads and writes of memory that anyone may reach, in both directions,
// global memory and LDS.
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

#include "markers.hpp"
// The first store is dead, but for the marker.
// CHECK-LABEL: @store(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: store i32 1
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: store i32 2
extern "C" __global__ void store(int *p) {
  sqtt_marker_enter("scope");
  p[__lane()] = 1;
  sqtt_marker_exit("scope");
  p[__lane()] = 2;
}
// Only one branch behind the scope needs the load.
// CHECK-LABEL: @load(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: load i32
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: br i1
extern "C" __global__ void load(int *p, int *q, int n) {
  sqtt_marker_enter("scope");
  int v = q[__lane()];
  sqtt_marker_exit("scope");
  if (n > 3) p[__lane()] = v;
}
// The second load reads what the first has read.
// CHECK-LABEL: @again(
// CHECK: load i32
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: load i32
// CHECK: "s_ttracedata_imm 0x1"
extern "C" __global__ void again(int *p, int *q) {
  int v = q[__lane()];
  sqtt_marker_enter("scope");
  int w = q[__lane()];
  sqtt_marker_exit("scope");
  p[__lane()] = v * w;
}
// CHECK-LABEL: @lds(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: store i32 1
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: store i32 2
__shared__ int tile[64];
extern "C" __global__ void lds(int *p) {
  sqtt_marker_enter("scope");
  tile[__lane()] = 1;
  sqtt_marker_exit("scope");
  tile[__lane()] = 2;
  __builtin_amdgcn_s_barrier();
  p[__lane()] = tile[63 - __lane()];
}
