// Each operation has an id and a place of its own: where it was written, and through which calls it came where it is.
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O2} -gline-tables-only --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=PLAIN

// CHECK: W:32\0AP:1:addr_trace_load@{{[^ @]*}}location.hip:10 -> {{[^ @]*}}location.hip:14\0A{{.*}}P:2:addr_trace_load@{{[^ @]*}}location.hip:10 -> {{[^ @]*}}location.hip:11 -> {{[^ @]*}}location.hip:15\0A
// CHECK-SAME: P:3:addr_trace_lds_store@{{[^ @]*}}location.hip:15\0A{{.*}}P:4:addr_trace_store@{{[^ @]*}}location.hip:16\0A
// PLAIN: W:32\0AP:1:addr_trace_load\0AR:1:extra_payload_count=66\0A
// PLAIN-SAME: P:4:addr_trace_store\0AR:4:

static __device__ int read(const int *p) { return *p; }
static __device__ int next(const int *p) { return read(p + 1); }
extern "C" __global__ void k(const int *in, int *out) {
  __shared__ volatile int shared[64];
  int sum = read(in + __lane());
  shared[__lane()] = next(in + __lane() * 2 + sum);
  out[__lane()] = sum;
}
