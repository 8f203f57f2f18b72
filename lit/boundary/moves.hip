// What moves across a marker in the final code, boundary by boundary. Nothing of memory that is written, or read at once,
// does with any of them; a load that only a later block needs moves there where there is no boundary.
// RUN: env SQTT_MEM_BARRIER=none %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,NONE,FREE
// RUN: env SQTT_MEM_BARRIER=asm %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,HELD,ALL
// RUN: env SQTT_MEM_BARRIER=fence %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,HELD,FREE
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=none %hip{O3} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,NONE,FREE
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=asm %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,HELD,ALL
// RUN: env SQTT_SCOPE_CU=3 SQTT_MEM_BARRIER=fence %hip{O3} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s --check-prefixes=CHECK,HELD,FREE

#include "markers.hpp"
// Stores, also one that another overwrites.
// CHECK-LABEL: {{^}}store:
// CHECK: s_ttracedata_imm 0x6
// CHECK: global_store
// CHECK: s_ttracedata_imm 0x1
// CHECK: global_store
// CHECK: s_endpgm
extern "C" __global__ void store(int *p) {
  sqtt_marker_enter("scope");
  p[__lane()] = 1;
  sqtt_marker_exit("scope");
  p[__lane()] = 2;
}
// Loads, also a second one of the same.
// CHECK-LABEL: {{^}}again:
// CHECK: global_load
// CHECK: s_ttracedata_imm 0x6
// CHECK: global_load
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_endpgm
extern "C" __global__ void again(int *p, int *q) {
  int v = q[__lane()];
  sqtt_marker_enter("scope");
  int w = q[__lane()];
  sqtt_marker_exit("scope");
  p[__lane()] = v * w;
}
// The same of one that all lanes share, in every round of a loop.
// CHECK-LABEL: {{^}}shared:
// CHECK: s_ttracedata_imm 0x6
// FREE: s_load_b32
// ALL: global_load
// CHECK: s_ttracedata_imm 0x1
// CHECK: s_endpgm
extern "C" __global__ void shared(int *p, int *q, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sqtt_marker_enter("scope");
    sum += q[n] ^ i;
    sqtt_marker_exit("scope");
  }
  p[__lane()] = sum;
}
// LDS.
// CHECK-LABEL: {{^}}lds:
// CHECK: s_ttracedata_imm 0x6
// CHECK: ds_store
// CHECK: s_ttracedata_imm 0x1
// CHECK: ds_store
// CHECK: s_endpgm
__shared__ int tile[64];
extern "C" __global__ void lds(int *p) {
  sqtt_marker_enter("scope");
  tile[__lane()] = 1;
  sqtt_marker_exit("scope");
  tile[__lane()] = 2;
  __builtin_amdgcn_s_barrier();
  p[__lane()] = tile[63 - __lane()];
}
// A load that one branch behind the scope needs.
// CHECK-LABEL: {{^}}later:
// CHECK: s_ttracedata_imm 0x6
// HELD: global_load
// CHECK: s_ttracedata_imm 0x1
// NONE: global_load
// CHECK: s_endpgm
extern "C" __global__ void later(int *p, int *q, int n) {
  sqtt_marker_enter("scope");
  int v = q[__lane()];
  sqtt_marker_exit("scope");
  if (n > 3) p[__lane()] = v;
}
// Arithmetic that one branch behind the scope needs: LLVM moves it there before markers are written, whatever stands
// around them.
// CHECK-LABEL: {{^}}arithmetic:
// CHECK: s_ttracedata_imm 0x6
// CHECK-NOT: v_m{{ul|ad}}
// CHECK: s_ttracedata_imm 0x1
// CHECK: v_m{{ul|ad}}
// CHECK: s_endpgm
extern "C" __global__ void arithmetic(int *p, int n) {
  int x = p[__lane()];
  sqtt_marker_enter("scope");
  for (int i = 0; i < 4; ++i) x = x * x + 3;
  sqtt_marker_exit("scope");
  if (n > 3) p[__lane()] = x;
}
