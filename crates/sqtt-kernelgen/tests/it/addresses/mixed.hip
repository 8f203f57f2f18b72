// Kernels of both wave sizes in one object.
#define __global__ __attribute__((global))
#define WIDE __attribute__((target("wavefrontsize64")))
typedef unsigned u32;
#define BODY                                                                                                          \
  {                                                                                                                   \
    const u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();                         \
    out[id] = in[id ^ 3] + n;                                                                                         \
    if (id % 5 == 1) out[128 + id] = in[id * 2];                                                                      \
  }
extern "C" __global__ void kern(const u32 *in, u32 *out, u32 n) BODY
extern "C" WIDE __global__ void wide(const u32 *in, u32 *out, u32 n) BODY
