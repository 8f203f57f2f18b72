// An entry without a name, which is read at run time as any other, gets the fallback, and the compiler warns; the others
// keep their names. A table that the program may write is none.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s %only --input-file=%t.ll
// RUN: %FileCheck %s --check-prefix=WARN --input-file=%t.txt
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error=inline-asm %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s %only --input-file=%t.ll
// RUN: %FileCheck %s --check-prefix=WARN --input-file=%t.txt

// CHECK-DAG: constant [3 x i32] [i32 {{[1-9][0-9]*}}, i32 {{[1-9][0-9]*}}, i32 {{[1-9][0-9]*}}], align 4
// CHECK-DAG: P:{{[0-9]+}}:first\0AP:{{[0-9]+}}:unnamed marker at function _Z1kPii\0AP:{{[0-9]+}}:third\0A
// WARN-DAG: table-holes.hip:[[#@LINE+9]]:3: warning: sqtt: the name of this marker is empty or not known
// WARN-DAG: table-holes.hip:[[#@LINE+9]]:3: warning: sqtt: the name of this marker is empty or not known
// WARN: 2 warnings generated

#include "markers.hpp"

static const char *const holes[] = {"first", nullptr, "third"};
__device__ const char *writable[] = {"a", "b"};
__global__ void k(int *p, int n) {
  sqtt_marker_point(holes[n]);
  sqtt_marker_point(writable[n & 1]);
  writable[p[0] & 1] = "c";
}
