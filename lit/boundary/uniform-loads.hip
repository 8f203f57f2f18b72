// Loads that are the same for all lanes stay scalar with markers around, in loops too: LLVM knows that markers, the
// filter and what it reads overwrite no memory of the program. That holds for named and numeric markers, points and both
// forms of the filter, and for calls of functions with markers that are not inlined. With the boundary that may touch all memory they are vector loads, as that says.
// RUN: env SQTT_MEM_BARRIER=none %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=none %hip{O1} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=none %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx90a -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1030 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence %hip{O2} -g --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_SCOPE_SIMD=1 SQTT_MEM_BARRIER=fence %hip{O3} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=none %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx942 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence SQTT_INSTRUMENT_MEMORY=1:0 %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,SCALAR
// RUN: env SQTT_MEM_BARRIER=asm %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,VECTOR

#include "markers.hpp"
// CHECK-LABEL: {{^}}straight:
// SCALAR-NOT: {{global|flat}}_load
// VECTOR: global_load
// CHECK: s_endpgm
extern "C" __global__ void straight(int *p, const int *q, int n) {
  sqtt_marker_enter("a");
  int s = q[n] + q[n + 1];
  sqtt_marker_exit("a");
  s += q[n + 5];
  p[__lane()] = s;
}
// CHECK-LABEL: {{^}}numeric:
// SCALAR-NOT: {{global|flat}}_load
// VECTOR: global_load
// CHECK: s_endpgm
extern "C" __global__ void numeric(int *p, const int *q, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    sqtt_marker_enter(5);
    s += q[i] * q[i + 7];
    sqtt_marker_exit();
  }
  p[__lane()] = s + q[n];
}
// CHECK-LABEL: {{^}}looped:
// SCALAR-NOT: {{global|flat}}_load
// VECTOR: global_load
// CHECK: s_endpgm
extern "C" __global__ void looped(int *p, const int *q, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    sqtt_marker_enter("a");
    s += q[i] + q[i + 1];
    sqtt_marker_exit("a");
    if (s > 100) {
      sqtt_marker_data("large", s);
      s -= q[i + 2];
    }
  }
  p[__lane()] = s + q[n] + q[n + 1];
}
__device__ __attribute__((noinline)) int work(int x) {
  sqtt_marker_enter("work");
  x = x * x + 3;
  sqtt_marker_exit("work");
  return x;
}
__device__ __attribute__((noinline)) int leads_to_work(int x) { return work(x + 1) * 5; }
// CHECK-LABEL: {{^}}called:
// SCALAR-NOT: {{global|flat}}_load
// VECTOR: global_load
// CHECK: s_endpgm
extern "C" __global__ void called(int *p, const int *q, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += work(s) + q[i];
  s = leads_to_work(s) + q[n];
  p[__lane()] = work(s) + q[n + 1];
}
// A function that stores writes memory, with markers or without.
__device__ __attribute__((noinline)) int stores(int *p, int x) {
  sqtt_marker_enter("stores");
  p[__lane()] = x;
  sqtt_marker_exit("stores");
  return x * x;
}
// CHECK-LABEL: {{^}}called_before:
// CHECK: global_load
// CHECK: s_endpgm
extern "C" __global__ void called_before(int *p, const int *q, int n) {
  n = stores(p, n);
  p[__lane() + 64] = q[n];
}
// Only where nothing was stored before: that is the program's own.
// CHECK-LABEL: {{^}}stored:
// CHECK: global_store
// CHECK: global_load
// CHECK: s_endpgm
extern "C" __global__ void stored(int *p, const int *q, int n) {
  p[__lane()] = n;
  sqtt_marker_point("a");
  p[__lane() + 64] = q[n];
}
