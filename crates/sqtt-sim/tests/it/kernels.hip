// Kernels whose results do not depend on the target, the wave size or the optimization level.
#define G __attribute__((global))
#define D __attribute__((device))
#define S __attribute__((shared))
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned short u16;
typedef short i16;
typedef unsigned char u8;
typedef _Float16 half;
typedef half half2 __attribute__((ext_vector_type(2)));
typedef i16 short2v __attribute__((ext_vector_type(2)));

D u32 table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
D u32 *pointer = table + 4;
D __attribute__((noinline)) u32 recurse(u32 n, u32 *p) {
  u32 local[4];
  local[n & 3] = n;
  return n < 2 ? local[n & 3] : recurse(n - 1, p) + recurse(n - 2, local) + *p;
}
typedef u32 (*function)(u32);
D __attribute__((noinline)) u32 triple(u32 x) { return x * 3; }
D __attribute__((noinline)) u32 flip(u32 x) { return x ^ 5; }

// Stack, calls, recursion, function pointers, device globals, switches, byte copies.
extern "C" G void calls(const u32 *in, u32 *out) {
  u32 t = __builtin_amdgcn_workitem_id_x() + 4 * __builtin_amdgcn_workitem_id_y();
  u32 g = __builtin_amdgcn_workgroup_id_x() + 2 * __builtin_amdgcn_workgroup_id_y();
  u32 a[16];
  for (int i = 0; i < 16; i++) a[i] = in[(t + i) & 63];
  u8 bytes[32];
  __builtin_memcpy(bytes, a, 32);
  for (u32 i = 0; i < t + 5; i++) bytes[(i * 7) & 31] += bytes[(i + t) & 31];
  u32 x = recurse(t & 7, &a[t & 3]) + table[t & 15] + pointer[g & 3] + bytes[t & 31];
  function f = t & 1 ? triple : flip;
  x += f(x);
  switch (x & 7) {
  case 0: x += 3; break;
  case 1: x *= 5; break;
  case 2: x ^= g; break;
  case 3: x -= t; break;
  case 5: x = ~x; break;
  }
  out[g * 64 + t] = x;
}

// 64-bit, division, saturation, bit tricks, sub-dword arithmetic.
extern "C" G void ints(const u32 *in, u32 *out) {
  u32 t = __builtin_amdgcn_workitem_id_x(), k = 0;
  u32 a = in[t], b = in[(t + 1) & 63], c = in[(t + 2) & 63];
  int ia = a, ib = b;
  u64 q = (u64)a << 32 | b, r = (u64)c << 32 | a;
  i64 iq = q, ir = r;
  u32 *o = out + t * 32;
  u64 wide[6] = {q * r, (u64)(iq >> (c & 63)), q << (b & 63), q / (r | 1), (u64)(iq % (ir | 1)), __builtin_bitreverse64(q)};
  for (int i = 0; i < 6; i++) { o[k++] = wide[i]; o[k++] = wide[i] >> 32; }
  o[k++] = (iq < ir) + 2 * (q < r) + 4 * (iq == ir);
  o[k++] = __builtin_elementwise_add_sat(a, b);
  o[k++] = __builtin_elementwise_sub_sat(ia, ib);
  o[k++] = ia / (ib | 1) + ia % (ib | 1);
  o[k++] = __builtin_rotateleft32(a, b & 31);
  o[k++] = __builtin_popcountll(q) + __builtin_clz(a | 1) + __builtin_ctz(b | 256);
  o[k++] = ((i64)ia * ib) >> 32;
  o[k++] = (u16)(a * b) | (u32)(u16)((i16)a >> (b & 15)) << 16;
  o[k++] = (u32)(int)__builtin_elementwise_sub_sat((i16)a, (i16)b);
  o[k++] = (u8)((u8)a * (u8)b) + (u16)a / (u16)(b | 1);
  short2v s = {(i16)a, (i16)(a >> 16)}, u = {(i16)b, (i16)c};
  short2v p = __builtin_elementwise_max(s + u, s * u);
  o[k++] = (u16)p.x | (u32)(u16)p.y << 16;
}

// Divisions, roots, conversions, f16 and f64.
extern "C" G void floats(const float *in, float *out) {
  u32 t = __builtin_amdgcn_workitem_id_x(), k = 0;
  float a = in[t], b = in[(t + 1) & 63], c = in[(t + 2) & 63], *o = out + t * 32;
  o[k++] = a / b;
  o[k++] = __builtin_sqrtf(__builtin_fabsf(a));
  o[k++] = __builtin_fmaf(a, b, c);
  o[k++] = (float)((double)a / (double)b);
  o[k++] = (float)__builtin_sqrt((double)__builtin_fabsf(b));
  o[k++] = __builtin_fminf(a, b) + __builtin_fmaxf(b, c);
  o[k++] = __builtin_rintf(a) + __builtin_floorf(b) + __builtin_truncf(c);
  o[k++] = __builtin_ldexpf(a, (int)t - 32);
  o[k++] = (float)(half)a;
  half x = (half)a, y = (half)b;
  o[k++] = (float)(x / y);
  o[k++] = (float)(half)(x * y - x);
  half2 v = {x, y}, w = {y, x};
  half2 z = v * w + v;
  o[k++] = (float)z.x - (float)z.y;
  o[k++] = (a < b ? 1 : 0) + (a != c ? 2 : 0) + (!(b >= c) ? 4 : 0) + (__builtin_isunordered(a, b) ? 8 : 0);
  o[k++] = __builtin_exp2f(__builtin_fminf(__builtin_fabsf(a), 8.0f)) + __builtin_log2f(__builtin_fabsf(b) + 1.0f);
}

// LDS, barriers, atomics without a dependence on order.
extern "C" G void shared(const u32 *in, u32 *out, u32 *sums) {
  S u32 tile[64];
  S u64 wide[8];
  S u32 most;
  u32 t = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  tile[t] = in[t] + g;
  if (t < 8) wide[t] = t;
  if (t == 0) most = 0;
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_s_barrier();
  u32 x = tile[(t * 5 + 1) & 63];
  __hip_atomic_fetch_add(&wide[t & 7], (u64)x << 20, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(&most, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_s_barrier();
  u64 y = wide[(t + 3) & 7];
  out[g * 64 + t] = x + (u32)y + (u32)(y >> 32) + most;
  __hip_atomic_fetch_add(sums + (t & 3), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_xor(sums + 4 + (t & 3), x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  u32 seen = __hip_atomic_load(sums + 8, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(sums + 8, &seen, seen + x, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {}
}
