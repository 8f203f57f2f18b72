// Values of every type, names from tables, and exits directly before enters.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#include "markers.hpp"

enum Plain { plain = 3 };
enum class Scoped : short { low = -2 };
enum class Wide : unsigned long { high = 0x100000002 };
struct Half {
  unsigned short bits;
  __host__ __device__ operator float() const { return 0.5f * bits; }
  __host__ __device__ operator int() const { return bits; }
};
struct Step {
  int cost;
  const char *name;
};
static const char *const stage[] = {"load", "multiply", "add", "store"};
static const Step steps[] = {{1, "one"}, {2, "two"}, {3, "three"}};

// Both halves of the compile have this one.
__host__ __device__ inline unsigned doubled(unsigned value) {
  sqtt_marker_data("doubled", value);
  return value * 2;
}

extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void kern(const unsigned *in, unsigned *out,
                                                                                    unsigned n) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  unsigned value = in[0];
  const float single = static_cast<float>(value) * 0.25f;
  const double twice = static_cast<double>(value) * 0.125;
  sqtt_marker_data("float", single);
  sqtt_marker_data("pi", 3.14159265358979323846);
  sqtt_marker_data("double", twice);
  sqtt_marker_data("half", static_cast<_Float16>(single));
  sqtt_marker_data("half class", Half{3});
  sqtt_marker_data("long", static_cast<long>(value) - 0x100000000);
  sqtt_marker_data("unsigned long long", value * 0x100000001ull);
  sqtt_marker_data("pointer", out);
  sqtt_marker_data("short", static_cast<short>(-7));
  sqtt_marker_data("bool", value > 1);
  sqtt_marker_data("plain", plain);
  sqtt_marker_data("scoped", Scoped::low);
  sqtt_marker_data("wide", Wide::high);
  sqtt_marker_data("lane", static_cast<float>(lane + 1));
  value = doubled(value);
  for (unsigned i = 0; i < n; ++i) {
    sqtt_scope guard(stage[i & 3]);
    out[lane] = value + i;
  }
  sqtt_marker_point(steps[n % 3].name);
  {
    sqtt_scope first("first");
    out[lane] += 1;
  }
  {
    sqtt_scope second("second");
    out[lane] += 2;
  }
  sqtt_marker_enter(100);
  out[lane] += 3;
  sqtt_marker_exit();
  sqtt_marker_enter("named");
  out[lane] += 4;
  sqtt_marker_exit("named");
  sqtt_marker_enter(lane + 1000);
  out[lane] += 5;
  sqtt_marker_exit();
}
