// The access patterns of real kernels: what lanes ask for in columns, trees, sorts, permutes, tables and lists. And markers
// with numbers beside them. In every kernel a workgroup has 128 threads; no one looks at what another workgroup wrote.
#include "markers.hpp"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define KERNEL extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(128, 128))) void
typedef unsigned u32;

constexpr u32 THREADS = 128;

static __device__ u32 thread() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ u32 group() { return __builtin_amdgcn_workgroup_id_x(); }
static __device__ void sync() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
static __device__ u32 add(u32 *at, u32 value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
static __device__ u32 swap(u32 *at, u32 expected, u32 value) {
  __hip_atomic_compare_exchange_strong(at, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

// A tile of 16 rows, walked down its columns.
template <u32 ROW> static __device__ u32 columns(const u32 *in) {
  __shared__ u32 tile[16 * ROW];
  for (u32 k = thread(); k < 16 * ROW; k += THREADS)
    tile[k] = in[k];
  sync();
  u32 sum = 0;
  for (u32 c = 0; c < 16; c += 8)
    sum += tile[(thread() & 15) * ROW + (thread() >> 4) + c] * (c + 1);
  sync();
  return sum;
}
KERNEL column_walks(const u32 *in, u32 *out, u32 n) {
  u32 sum = columns<16>(in) + columns<17>(in) + columns<18>(in) + columns<20>(in);
  sum += columns<32>(in) + columns<33>(in) + columns<36>(in);
  out[group() * THREADS + thread()] = sum;
}

KERNEL transpose(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 tile[16][17];
  const u32 x = thread() & 15, y = thread() >> 4;
  for (u32 k = 0; k < 16; k += 8)
    tile[y + k][x] = in[(y + k) * 32 + group() * 16 + x];
  sync();
  for (u32 k = 0; k < 16; k += 8)
    out[(group() * 16 + y + k) * 16 + x] = tile[x][y + k];
}

KERNEL bitonic_sort(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 keys[2 * THREADS];
  const u32 t = thread();
  keys[t] = in[group() * 2 * THREADS + t];
  keys[t + THREADS] = in[group() * 2 * THREADS + THREADS + t];
  for (u32 size = 2; size <= 2 * THREADS; size *= 2)
    for (u32 stride = size / 2; stride > 0; stride /= 2) {
      sync();
      const u32 at = 2 * t - (t & (stride - 1));
      const u32 low = keys[at], high = keys[at + stride];
      if ((low > high) == ((at & size) == 0)) {
        keys[at] = high;
        keys[at + stride] = low;
      }
    }
  sync();
  out[group() * 2 * THREADS + t] = keys[t];
  out[group() * 2 * THREADS + THREADS + t] = keys[t + THREADS];
}

KERNEL tree_reduction(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 near[THREADS], far[THREADS];
  const u32 t = thread();
  near[t] = far[t] = in[group() * THREADS + t];
  for (u32 stride = THREADS / 2; stride > 0; stride /= 2) {
    sync();
    if (t < stride)
      near[t] += near[t + stride];
  }
  for (u32 stride = 1; stride < THREADS; stride *= 2) {
    sync();
    if (t % (2 * stride) == 0)
      far[t] += far[t + stride];
  }
  if (t == 0)
    out[group()] = near[0] ^ far[0];
}

KERNEL permute_reduction(const u32 *in, u32 *out, u32 n) {
  const u32 lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  u32 sum = in[group() * THREADS + thread()], all = sum;
  for (u32 d = 1; d < __builtin_amdgcn_wavefrontsize(); d *= 2) {
    sum += __builtin_amdgcn_ds_bpermute((lane ^ d) * 4, sum);
    all += __builtin_amdgcn_ds_bpermute((lane + d) * 4, all);
    all ^= __builtin_amdgcn_ds_permute((lane * (d + 1)) * 4, sum);
  }
  out[group() * THREADS + thread()] = sum ^ all;
}

// Hillis and Steele's, and one over partial sums.
KERNEL scan(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 sums[2][THREADS];
  const u32 t = thread();
  u32 from = 0;
  sums[0][t] = in[group() * THREADS + t] & 255;
  for (u32 d = 1; d < THREADS; d *= 2) {
    sync();
    sums[from ^ 1][t] = sums[from][t] + (t >= d ? sums[from][t - d] : 0);
    from ^= 1;
  }
  sync();
  out[group() * THREADS + t] = t > 0 ? sums[from][t - 1] : 0;
}

KERNEL radix_partition(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 counts[16], starts[16];
  const u32 t = thread();
  for (u32 shift = 0; shift < 8; shift += 4) {
    if (t < 16)
      counts[t] = 0;
    sync();
    const u32 key = in[group() * THREADS + t];
    const u32 digit = key >> shift & 15;
    const u32 place = add(&counts[digit], 1);
    sync();
    if (t < 16) {
      u32 start = 0;
      for (u32 k = 0; k < t; ++k)
        start += counts[k];
      starts[t] = start;
    }
    sync();
    out[(shift * 2 + group()) * THREADS + starts[digit] + place] = key;
  }
}

KERNEL sparse_product(const u32 *in, u32 *out, u32 n) {
  const u32 row = group() * THREADS + thread();
  const u32 first = in[row] % 512, count = in[row] >> 9 & 7;
  u32 sum = 0;
  for (u32 k = first; k < first + count; ++k)
    sum += in[512 + k] * in[in[k] % 1024];
  out[row] = sum;
}

KERNEL breadth_first(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 depth[256], queue[2][256], counts[2];
  for (u32 k = thread(); k < 256; k += THREADS)
    depth[k] = ~0u;
  if (thread() < 2)
    counts[thread()] = thread() ^ 1;
  sync();
  if (thread() == 0) {
    queue[0][0] = group();
    depth[group()] = 0;
  }
  u32 now = 0;
  for (u32 level = 1; level < 6; ++level, now ^= 1) {
    sync();
    const u32 count = counts[now];
    for (u32 k = thread(); k < count; k += THREADS) {
      const u32 node = queue[now][k];
      for (u32 edge = 0; edge < (node & 3) + 1; ++edge) {
        const u32 next = in[node * 4 + edge] & 255;
        if (swap(&depth[next], ~0u, level) == ~0u)
          queue[now ^ 1][add(&counts[now ^ 1], 1)] = next;
      }
    }
    sync();
    if (thread() == 0)
      counts[now] = 0;
  }
  for (u32 k = thread(); k < 256; k += THREADS)
    out[group() * 256 + k] = depth[k];
}

KERNEL compaction(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 count;
  if (thread() == 0)
    count = 0;
  sync();
  for (u32 k = 0; k < 4; ++k) {
    const u32 value = in[(k * 2 + group()) * THREADS + thread()];
    if (value % 3 == 0)
      out[group() * 1024 + add(&count, 1)] = value;
  }
}

KERNEL histogram(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 bins[64];
  if (thread() < 64)
    bins[thread()] = 0;
  sync();
  for (u32 k = 0; k < 4; ++k)
    add(&bins[in[k * THREADS + thread()] & 63], 1);
  sync();
  if (thread() < 64)
    add(&out[thread()], bins[thread()]);
}

KERNEL hash_insert(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 table[256];
  for (u32 k = thread(); k < 256; k += THREADS)
    table[k] = ~0u;
  sync();
  const u32 key = in[group() * THREADS + thread()] | 1u << 31;
  u32 at = key * 2654435761u >> 24;
  for (u32 tries = 0; tries < 256; ++tries, at = (at + 1) & 255) {
    const u32 found = swap(&table[at], ~0u, key);
    if (found == ~0u || found == key)
      break;
  }
  sync();
  out[group() * THREADS + thread()] = at ^ table[thread()];
}

KERNEL pointer_chase(const u32 *in, u32 *out, u32 n) {
  u32 at = thread() * 7 + group();
  for (u32 k = 0; k < 8; ++k)
    at = in[at % 1024] >> 2;
  out[group() * THREADS + thread()] = at;
}

KERNEL gather_and_scatter(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 shared[512];
  u32 random = in[thread()];
  for (u32 k = 0; k < 4; ++k) {
    random = random * 1664525 + 1013904223;
    const u32 value = in[random >> 22];
    shared[random >> 13 & 511] = value;
    out[group() * 4096 + (random >> 20)] = shared[random >> 4 & 511] + value;
  }
}

KERNEL few_of_many(const u32 *in, u32 *out, u32 n) {
  __shared__ u32 shared[THREADS];
  for (u32 k = 0; k < 6; ++k) {
    const u32 value = in[(k * 2 + group()) * THREADS % 1024 + thread()];
    if ((value * 2654435761u >> 28) == k) {
      shared[thread()] = value;
      out[(k * 2 + group()) * THREADS + thread()] = value ^ shared[thread() ^ 1];
    }
  }
}

// Without LDS, beside kernels that have it.
KERNEL atomic_and_store(const u32 *in, u32 *out, u32 n) {
  add(&out[thread() & 7], 1);
  out[256 + group() * THREADS + thread()] = n;
}

KERNEL numbers(const u32 *in, u32 *out, u32 n) {
  sqtt_marker_enter("outer");
  sqtt_marker_enter(100);
  sqtt_marker_enter(101);
  sqtt_marker_enter(102);
  sqtt_marker_enter(103);
  out[thread()] = in[thread()];
  sqtt_marker_exit();
  sqtt_marker_exit();
  sqtt_marker_exit();
  sqtt_marker_exit();
  sqtt_marker_exit("outer");
  for (u32 k = 0; k < 8; ++k)
    sqtt_marker_point(100 + k);
  sqtt_marker_point(n & 1 ? "odd" : "even");
  sqtt_marker_data("number", n);
  for (u32 k = 0; k < (n & 7); ++k)
    sqtt_marker_point(in[k] >> 2 | 1u << 20);
  sqtt_marker_point(40);
}
