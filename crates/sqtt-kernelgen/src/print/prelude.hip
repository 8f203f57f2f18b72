#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#include "markers.hpp"

#pragma clang fp contract(off)

typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

enum Phase : u32 { phase_none };
struct Named {
  u32 before;
  const char *name;
};

// Macros, because a function could be marked.
#define lesser(T, a, b) ({ const T left = (a), right = (b); left < right ? left : right; })
#define greater(T, a, b) ({ const T left = (a), right = (b); left < right ? right : left; })
#define to_int(T, x) ((i32)lesser(T, greater(T, x, (T)-1000000), (T)1000000))
#define bits_of(U, T, x) ({ const T value = (x); value == 0 ? (U)0 : __builtin_bit_cast(U, value); })
#define fold(x) ({ const u64 whole = (x); (u32)(whole ^ whole >> 32); })
#define sync_workgroup() \
  do { \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier(); \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

static __device__ void wrapped_point(const char *name) { sqtt_marker_point(name); }
static __device__ void wrapped_twice(const char *name) { wrapped_point(name); }
static __device__ void wrapped_data(const char *name, u32 value) { sqtt_marker_data(name, value); }
static __device__ u32 wrapped_step(const char *name, u32 value) {
  sqtt_marker_enter(name);
  u32 step = value * 5u + 3u;
  sqtt_marker_exit(name);
  return step;
}
template <class F> static __device__ void wrapped_run(const char *name, F body) {
  sqtt_scope scope(name);
  body();
}
