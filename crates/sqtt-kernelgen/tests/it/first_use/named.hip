// Every kind of marker of the header, named ones among them.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#include "markers.hpp"

typedef unsigned u32;

enum Stage { stage_load = 900 };
enum class Level : unsigned char { deep = 77 };

struct Work {
  const char *name;
  u32 weight;
};

static __device__ void announce(const char *name) { sqtt_marker_point(name); }

template <class F> static __device__ void within(const char *name, F body) {
  sqtt_scope guard(name);
  body();
}

static __device__ u32 leaves_early(u32 value, u32 lid) {
  sqtt_scope guard("function");
  if (lid % 4 == 1)
    return value + 1;
  sqtt_marker_point("not everybody");
  return value * 3;
}

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void kern(const u32 *in, u32 *out, u32 n) {
  u32 lid = __builtin_amdgcn_workitem_id_x();
  u32 id = __builtin_amdgcn_workgroup_id_x() * 64 + lid;
  u32 value = in[id];

  // Names.
  sqtt_marker_enter("scope");
  sqtt_marker_point("point");
  sqtt_marker_data("uniform", n);
  sqtt_marker_data("divergent", value);
  sqtt_marker_exit("scope");
  value = value * 7 + n;

  // One record for both.
  sqtt_marker_enter("first");
  value ^= value >> 3;
  sqtt_marker_exit("first");
  sqtt_marker_enter("second");
  value += lid;
  sqtt_marker_exit("second");

  // Names that are not literals.
  sqtt_marker_point(n > 4 ? "many" : "few");
  sqtt_marker_point(n > 100 ? "many" : "few");
  sqtt_marker_point(lid & 1 ? "odd" : "even");
  const char *name = "small";
  if (n == 5)
    name = "five";
  sqtt_marker_point(name);
  Work work = {"member", value};
  sqtt_marker_data(work.name, work.weight);
  sqtt_marker_point("prefix: rest" + 8);
  announce("through a function");
  within("lambda", [&] { value += 11; });

  // Guards and returns.
  {
    sqtt_scope guard("guard");
    value -= 5;
  }
  value = leaves_early(value, lid);

  // Control flow.
  if (lid >= 32) {
    sqtt_marker_point("upper half");
    value += 100;
  }
  if (value == 0xFFFFFFFFu) {
    sqtt_marker_point("nobody");
    value = 1;
  }
  for (u32 k = 0; k < (lid & 3); ++k) {
    sqtt_marker_data("turn", k);
    value = value * 5 + k;
  }
  if (lid & 1) {
    sqtt_marker_point("same");
    value += 1;
  } else {
    sqtt_marker_point("same");
    value += 2;
  }

  // Numbers of every type, beside names.
  sqtt_marker_enter(1000);
  sqtt_marker_point(7u);
  sqtt_marker_point((signed char)8);
  sqtt_marker_point((short)9);
  sqtt_marker_point(10ull);
  sqtt_marker_point(11l);
  sqtt_marker_point(true);
  sqtt_marker_point('A');
  sqtt_marker_point(stage_load);
  sqtt_marker_point(Level::deep);
  sqtt_marker_point(70000);
  sqtt_marker_point(100000 + n);
  sqtt_marker_point(200000 + lid);
  sqtt_marker_exit(1000);
  sqtt_marker_enter(63);
  sqtt_marker_exit();
  sqtt_marker_enter(64u);
  sqtt_marker_exit(0);
  {
    sqtt_scope guard(12);
    value ^= 3;
  }
  out[id] = value;
}
