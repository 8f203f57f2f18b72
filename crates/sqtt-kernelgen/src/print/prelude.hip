#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
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
#ifdef __HIP_DEVICE_COMPILE__
#define item_id __builtin_amdgcn_workitem_id_x()
#define group_id __builtin_amdgcn_workgroup_id_x()
// LLVM drops `readfirstlane` of a value that is the same in all lanes, and gives the asm a VGPR where it computes it in
// one: the empty asm keeps it.
#define m0_word(x) __builtin_amdgcn_readfirstlane(({ u32 word = (x); asm("" : "+v"(word)); word; }))
#define m0_set(x) asm volatile("s_mov_b32 m0, %0" ::"s"(m0_word(x)) : "memory")
#define m0_advance(x) asm volatile("s_add_u32 m0, m0, %0" ::"s"(m0_word(x)) : "memory", "scc")
#define m0_get() ({ u32 got; asm volatile("s_mov_b32 %0, m0" : "=s"(got)::"memory"); got; })
#else
#define item_id 1u
#define group_id 2u
#define m0_set(x) (void)(x)
#define m0_advance(x) (void)(x)
#define m0_get() 3u
#endif
#define lesser(T, a, b) ({ const T left = (a), right = (b); left < right ? left : right; })
#define greater(T, a, b) ({ const T left = (a), right = (b); left < right ? right : left; })
#define to_int(T, x) ((i32)lesser(T, greater(T, x, (T)-1000000), (T)1000000))
#define bits_of(U, T, x) ({ const T value = (x); value == 0 ? (U)0 : __builtin_bit_cast(U, value); })
#define no_minus(T, x) ({ const T value = (x); value == 0 ? (T)0 : value; })
#define fold(x) ({ const u64 whole = (x); (u32)(whole ^ whole >> 32); })
#define sync_workgroup() \
  do { \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier(); \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

static SHARED void wrapped_point(const char *name) { sqtt_marker_point(name); }
static SHARED void wrapped_twice(const char *name) { wrapped_point(name); }
static SHARED void wrapped_data(const char *name, u32 value) { sqtt_marker_data(name, value); }
static SHARED u32 wrapped_step(const char *name, u32 value) {
  sqtt_marker_enter(name);
  u32 step = value * 5u + 3u;
  sqtt_marker_exit(name);
  return step;
}
template <class T> static SHARED void wrapped_value(const char *name, T value) { sqtt_marker_data(name, value); }
template <class F> static SHARED void wrapped_run(const char *name, F body) {
  sqtt_scope scope(name);
  body();
}
