// A name that an index chooses from a constant table becomes a word that the same index chooses from a table of words:
// of pointers, of structures, of two dimensions, with an offset, through a wrapper.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %known

// CHECK-DAG: @sqtt.words{{.*}} = private unnamed_addr addrspace(4) constant [4 x i32] [i32 {{[0-9]+}}, i32 {{[0-9]+}}, i32 {{[0-9]+}}, i32 {{[0-9]+}}], align 4
// CHECK-DAG: constant [6 x i32] [i32 0, i32 {{[1-9][0-9]*}}, i32 0, i32 {{[1-9][0-9]*}}, i32 0, i32 {{[1-9][0-9]*}}], align 4
// CHECK-DAG: c"K:_Z1kPii{{.*}}:one\0AP:{{[0-9]+}}:two\0AP:{{[0-9]+}}:three\0AP:{{[0-9]+}}:a0\0AP:{{[0-9]+}}:a1\0AP:{{[0-9]+}}:b0\0AP:{{[0-9]+}}:b1\0AP:{{[0-9]+}}:load\0AP:{{[0-9]+}}:multiply\0AP:{{[0-9]+}}:add\0AP:{{[0-9]+}}:store\0A
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: load i32, ptr addrspace(4)
// CHECK: ttracedata

#include "markers.hpp"

struct Step {
  int cost;
  const char *name;
};
static const char *const stage[] = {"load", "multiply", "add", "store"};
static const Step steps[] = {{1, "one"}, {2, "two"}, {3, "three"}};
static const char *const both[2][2] = {{"a0", "a1"}, {"b0", "b1"}};
__device__ void wrapper(const char *name) { sqtt_marker_point(name); }

__global__ void k(int *p, int n) {
  sqtt_marker_enter(stage[n & 3]);
  p[0] = n;
  sqtt_marker_exit();
  sqtt_marker_point(steps[n].name);
  wrapper(both[n & 1][n >> 1 & 1]);
  sqtt_marker_point(stage[(n & 1) + 2]);
}
