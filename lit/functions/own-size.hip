// Before the inliner a function is measured by itself: @helper is not marked because of what it calls, and what it calls
// goes without markers. The bodies that are left in the end are measured again: @left has grown by then and is marked
// where it stands, not where it was inlined.
// RUN: env SQTT_ID_SPACE=compact SQTT_INSTRUMENT_FUNCTIONS=12 %hip{O2} -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_ID_SPACE=compact SQTT_INSTRUMENT_FUNCTIONS=100 %hip{O2} -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=NONE --implicit-check-not=ttracedata

// CHECK: c"F:1:_Z4leftPii\0AK:k\0A\00"
// CHECK-NOT: asm sideeffect "s_ttracedata
// CHECK-LABEL: define{{.*}} i32 @_Z4leftPii(
// CHECK: asm sideeffect "s_ttracedata_imm 0x6"
// CHECK: asm sideeffect "s_ttracedata_imm 0x1"
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: ret i32
// CHECK-NOT: asm sideeffect "s_ttracedata
// NONE: c"K:k\0A\00"

static __device__ int small(int *p, int v) { return p[v] * 3 + 1; }
static __device__ int helper(int *p, int v) { return small(p, v) ^ small(p, v + 1) ^ small(p, v + 2); }
__device__ int left(int *p, int v) { return helper(p, v) - helper(p, v * 5); }
extern "C" __global__ void k(int *p, int n) { p[0] = left(p, n) + helper(p, p[9]); }
