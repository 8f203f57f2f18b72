// What lanes share is only added to, and nobody looks at what was there before: waves come in any order.
// Buffers: raw and structured, by vector and by pointer, with resources and offsets that lanes disagree about.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef unsigned u32;
typedef unsigned long long u64;
typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef int i32x4 __attribute__((ext_vector_type(4)));
typedef __amdgpu_buffer_rsrc_t buffer;

#define NAMED(name) __asm("llvm.amdgcn." name)
__device__ u32 raw_load(u32x4, u32, u32, u32) NAMED("raw.buffer.load.i32");
__device__ u32x4 raw_load4(u32x4, u32, u32, u32) NAMED("raw.buffer.load.v4i32");
__device__ void raw_store(u32, u32x4, u32, u32, u32) NAMED("raw.buffer.store.i32");
__device__ u32 raw_add(u32, u32x4, u32, u32, u32) NAMED("raw.buffer.atomic.add.i32");
__device__ u32 raw_swap(u32, u32, u32x4, u32, u32, u32) NAMED("raw.buffer.atomic.cmpswap.i32");
__device__ u32 struct_load(u32x4, u32, u32, u32, u32) NAMED("struct.buffer.load.i32");
__device__ void struct_store(u32x4, u32x4, u32, u32, u32, u32) NAMED("struct.buffer.store.v4i32");
__device__ u32 struct_add(u32, u32x4, u32, u32, u32, u32) NAMED("struct.buffer.atomic.add.i32");
__device__ u32 struct_swap(u32, u32, u32x4, u32, u32, u32, u32) NAMED("struct.buffer.atomic.cmpswap.i32");
__device__ u32 ptr_load(buffer, u32, u32, u32) NAMED("raw.ptr.buffer.load.i32");
__device__ void ptr_store(u32, buffer, u32, u32, u32) NAMED("raw.ptr.buffer.store.i32");
__device__ u32 ptr_add(u32, buffer, u32, u32, u32) NAMED("raw.ptr.buffer.atomic.add.i32");
__device__ u32 ptr_swap(u32, u32, buffer, u32, u32, u32) NAMED("raw.ptr.buffer.atomic.cmpswap.i32");
__device__ u32 struct_ptr_load(buffer, u32, u32, u32, u32) NAMED("struct.ptr.buffer.load.i32");
__device__ void struct_ptr_store(u32, buffer, u32, u32, u32, u32) NAMED("struct.ptr.buffer.store.i32");
__device__ u32 struct_ptr_add(u32, buffer, u32, u32, u32, u32) NAMED("struct.ptr.buffer.atomic.add.i32");

// Word 3: raw bounds where the target has a choice, then structures.
#ifdef __GFX9__
#define RAW 0x00027000u
#define STRUCTURED 0x00027000u
#else
#define RAW 0x31014000u
#define STRUCTURED 0x11014000u
#endif

static __device__ u32x4 raw(const void *p, u32 bytes) {
  u64 base = (u64)p;
  return (u32x4){(u32)base, (u32)(base >> 32) & 0xFFFF, bytes, RAW};
}
static __device__ u32x4 structured(const void *p, u32 stride, u32 count) {
  u64 base = (u64)p;
  return (u32x4){(u32)base, ((u32)(base >> 32) & 0xFFFF) | stride << 16, count, STRUCTURED};
}

extern "C" __global__ void kern(u32 *in, u32 *out, u32 n) {
  const u32 lane = __builtin_amdgcn_workitem_id_x();
  const u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + lane;
  u32x4 from = raw(in, 768), to = raw(out, 16384);
  buffer from_pointer = __builtin_amdgcn_make_buffer_rsrc(in, 0, 768, RAW);
  buffer to_pointer = __builtin_amdgcn_make_buffer_rsrc(out, 0, 16384, RAW);
  u32 sum = raw_load(from, lane * 4, 0, 0);
  sum += raw_load(from, lane * 4, n * 4, 0);
  sum += raw_load(from, 16, 8, 0);
  sum += raw_load4(from, (lane & 31) * 16, 0, 0).y;
  sum += ptr_load(from_pointer, lane * 8, n * 4, 0);

  // Structures of 12 and of 16 bytes.
  u32x4 rows = structured(in, 12, 64), squares = structured(out + 2048, 16, 192);
  buffer rows_pointer = __builtin_amdgcn_make_buffer_rsrc(in, 12, 64, STRUCTURED);
  buffer squares_pointer = __builtin_amdgcn_make_buffer_rsrc(out + 3072, 16, 192, STRUCTURED);
  sum += struct_load(rows, lane ^ 1, 4, 0, 0);
  sum += struct_ptr_load(rows_pointer, lane / 2, (lane & 1) * 4, 0, 0);
  if (lane % 5 < 3) struct_store((u32x4){sum, lane, n, 7}, squares, id, 0, 0, 0);
  struct_ptr_store(sum, squares_pointer, id, (lane & 3) * 4, 0, 0);
  struct_add(lane, squares, 150 + (lane & 7), 4, 0, 0);
  sum += struct_swap(sum, 0, structured(out + 5120, 16, 128), id, 8, 0, 0);
  struct_ptr_add(1, squares_pointer, 170 + (lane & 15), 12, 0, 0);

  // Lanes that disagree: about the offset, about the resource, about both, in a branch, in a loop.
  sum += raw_load(from, lane * 4, (lane & 3) * 16, 0);
  u32x4 mine = lane & 1 ? from : raw(in + 16, 600);
  sum += raw_load(mine, lane * 4, 0, 0);
  sum += raw_load(mine, lane * 4, (lane & 2) * 4, 0);
  buffer other = __builtin_amdgcn_make_buffer_rsrc(in + (lane % 3) * 8, 0, 512, RAW);
  sum += ptr_load(other, lane * 4, 4, 0);
  if (lane > 20) {
    raw_store(sum, lane % 7 == 0 ? raw(out + 3900, 1024) : to, id * 8, 0, 0);
    raw_add(1, to, 7200 + (lane & 1) * 4, (lane & 4) * 8, 0);
  }
  for (u32 k = 0; k < (lane & 3); ++k) sum += raw_load(raw(in + k, 700), lane * 4, (lane & 1) * 8, 0);

  raw_add(lane, to, 7400 + (lane & 3) * 4, 0, 0);
  sum += raw_swap(sum, 0, to, 2048 + id * 4, 0, 0);
  ptr_add(lane, to_pointer, 7600 + (lane & 7) * 4, 16, 0);
  sum += ptr_swap(sum, 0, to_pointer, 2560 + id * 4, 0, 0);
  ptr_store(lane, to_pointer, 3072 + id * 4, 0, 0);
  raw_store(sum, to, 3584 + id * 4, 0, 0);
}
