// No wave looks at what another may have written: waves come in any order.
// Every way to memory through a pointer, in branches and loops of every kind.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned char u8;
typedef unsigned long long u64;
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef u32 u32x3 __attribute__((ext_vector_type(3)));
typedef u32 u32x8 __attribute__((ext_vector_type(8)));
struct __attribute__((packed)) Odd {
  u8 tag;
  u32 word;
};

__constant__ u32 table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

// What a pointer leads to is the callers' to know: memory, LDS, and memory of one's own.
__attribute__((noinline)) __device__ u32 read(const u32 *p) { return *p; }
__attribute__((noinline)) __device__ void write(u32 *p, u32 value) { *p = value; }
__device__ u32 twice(const u32 *p) { return *p * 2; }

extern "C" __global__ void kern(const u32 *RESTRICT in, u32 *RESTRICT out, u32 n) {
  __shared__ u32 shared[256];
  __shared__ u64 wide[128];
  const u32 lane = __builtin_amdgcn_workitem_id_x();
  const u32 group = __builtin_amdgcn_workgroup_id_x();
  const u32 id = group * 64 + lane;
  u32 sum = in[id];

  // The same address in every lane.
  sum += in[group];
  sum += in[n];

  // Widths, from a byte to two instructions' worth, aligned and not.
  sum += ((const u8 *)in)[id * 3 + 1];
  sum += ((const u16 *)in)[lane * 5];
  sum += (u32)((const u64 *)in)[lane];
  sum += ((const u32x4 *)in)[lane & 15].z;
  u32x3 three = ((const u32x3 *)in)[lane & 7];
  sum += three.x ^ three.y ^ three.z;
  u32x8 eight = ((const u32x8 *)in)[lane & 7];
  sum += eight.s0 ^ eight.s7 ^ eight.s3;
  sum += ((const Odd *)in)[lane].word;

  // LDS.
  shared[lane] = sum;
  wide[lane] = sum * 3ull;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  sum += shared[lane ^ 5];
  sum += (u32)wide[63 - lane];
  sum += shared[7];

  // Lanes that go there, some or none of a wave.
  if (lane % 3 == 1) sum += in[lane * 2];
  if (lane > 200) sum += in[lane * 2 + 1];
  if (lane < n) {
    shared[64 + lane] = sum;
    sum ^= shared[64 + (lane ^ 1)];
  } else if (sum & 1) {
    out[64 * 4 + id] = sum;
  }

  // A pointer that walks, each lane as far as it likes.
  const u32 *walk = in + lane;
  for (u32 k = 0; k < (lane & 3); ++k) {
    sum += *walk;
    walk += *walk % 7 + 1;
  }

  // Memory or LDS, by lane: a flat pointer.
  u32 *either = lane & 1 ? out + 128 * 4 + id : shared + 128 + lane;
  *either = sum;
  sum += *either;

  // Of unknown origin.
  u32 own[4] = {sum, sum + 1, sum + 2, sum + 3};
  own[lane & 3] += n;
  sum += read(in + lane) + read(shared + lane) + read(own + (lane & 3)) + read(table + (lane & 7)) + twice(in + id);
  write(own + (lane & 1), sum);
  sum += own[0] + own[3];
  sum += table[sum & 7];

  // Atomics: each lane its own, all lanes the same, compared, of eight bytes, of floats.
  sum += __atomic_fetch_add(out + 192 * 4 + id, lane, __ATOMIC_RELAXED);
  __atomic_fetch_add(out + 255 * 4, 1u, __ATOMIC_RELAXED);
  __atomic_fetch_xor((u64 *)(out + 1024) + id, sum * 5ull, __ATOMIC_RELAXED);
  __atomic_fetch_add(shared + 192 + (lane & 3), lane, __ATOMIC_RELAXED);
  u32 old = 0;
  __atomic_compare_exchange_n(out + 1536 + id, &old, sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  u32 before = 0;
  __atomic_compare_exchange_n(shared + 200 + (lane & 31), &before, lane, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_fetch_max(out + 1800 + (lane & 7), sum, __ATOMIC_RELAXED);
  // Of bytes, halves and floats: some targets make loops of them.
  __atomic_fetch_add((u8 *)(out + 1900) + lane, (u8)1, __ATOMIC_RELAXED);
  __atomic_fetch_or((u16 *)shared + 480 + (lane & 7), (u16)lane, __ATOMIC_RELAXED);
  __atomic_fetch_add((float *)(out + 1950) + (lane & 3), 1.0f, __ATOMIC_RELAXED);
  __atomic_fetch_add((float *)(shared + 250), 2.0f, __ATOMIC_RELAXED);

  // Through the crossbar of LDS.
  sum += __builtin_amdgcn_ds_bpermute((lane ^ 1) * 4, sum);
  sum += __builtin_amdgcn_ds_permute(lane * 4 + 8, sum);
  if (lane & 2) sum += __builtin_amdgcn_ds_bpermute(((lane + 4) & 31) * 4 + 4, sum);

  out[id] = sum;
  ((u8 *)(out + 700))[id] = (u8)sum;
  ((u16 *)(out + 384))[id] = (u16)sum;
  ((u32x4 *)(out + 2048))[id] = (u32x4){sum, 1, 2, 3};
}
