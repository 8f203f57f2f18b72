// What LLVM moves across a marker before the late phase, by its shortest examples: arithmetic, and memory that nobody else
// can reach. docs/markers.md tells of it; should LLVM stop to, these tests say so.
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

#include "markers.hpp"
// Arithmetic sinks to where it is needed.
// CHECK-LABEL: @arithmetic(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK-NOT: mul
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: br i1
// CHECK: mul
extern "C" __global__ void arithmetic(int *p, int a, int b) {
  sqtt_marker_enter("scope");
  int v = a * b + __lane();
  sqtt_marker_exit("scope");
  if (b > 3) p[0] = v;
}
// A load that is the same in every round leaves the loop, where the kernel says that its memory is nobody else's.
// CHECK-LABEL: @invariant(
// CHECK: load i32
// CHECK-NOT: load
// CHECK: "s_ttracedata_imm 0x6"
// CHECK-NOT: load
// CHECK: store
// CHECK: "s_ttracedata_imm 0x1"
extern "C" __global__ void invariant(int *__restrict__ p, const int *__restrict__ q, int n) {
  for (int i = 0; i < n; ++i) {
    sqtt_marker_enter("scope");
    p[i + __lane()] = q[__lane()] * n;
    sqtt_marker_exit("scope");
  }
}
// A store that another one overwrites goes, under the same condition.
// CHECK-LABEL: @overwritten(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK-NOT: store
// CHECK: "s_ttracedata_imm 0x1"
// CHECK: store i32 2
extern "C" __global__ void overwritten(int *__restrict__ p) {
  sqtt_marker_enter("scope");
  p[__lane()] = 1;
  sqtt_marker_exit("scope");
  p[__lane()] = 2;
}
