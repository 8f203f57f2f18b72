// At -O0 the late phase marks functions directly, as the code is.
// RUN: env SQTT_INSTRUMENT_FUNCTIONS=12 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"F:1:_Z5largePii\0AK:k\0A\00"
// CHECK-NOT: "s_ttracedata
// CHECK-LABEL: define{{.*}} @_Z5largePii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x1"
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: ret i32
// CHECK-NOT: "s_ttracedata

__device__ int small(int v) { return v + 1; }
__device__ int large(int *p, int v) { return p[v] * 3 + p[v + 1] * 5 + p[v + 2] * 7; }
extern "C" __global__ void k(int *p, int n) { p[0] = small(n) + large(p, n); }
