// Markers behind functions and objects of one's own. The plugin looks through what the compiler can see: names handed
// on as arguments, kept in members, chosen by a condition. Numbers need no plugin.
//
//   hipcc --offload-arch=gfx1100 -O2 -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so -c examples/wrappers.hip -o wrappers.o
//
// Without ROCm, the device half alone:
//
//   clang-22 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=gfx1100 -O2 -nogpuinc -nogpulib \
//     -DWITHOUT_HIP_RUNTIME -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so examples/wrappers.hip -o wrappers.co
#include "kernel.hpp"
#include "markers.hpp"

// Stages that follow each other: entering the next one leaves the one before. An exit with a name that stands directly
// before an enter with a name costs nothing: one record does both. What the exit's name says does not matter.
class Stages {
public:
  __device__ explicit Stages(const char *first) { sqtt_marker_enter(first); }
  __device__ void next(const char *name) {
    sqtt_marker_exit("the stage before");
    sqtt_marker_enter(name);
  }
  __device__ ~Stages() { sqtt_marker_exit(); }
};

// A name in a member.
struct Probe {
  const char *name;
  __device__ void record(unsigned value) const { sqtt_marker_data(name, value); }
};

enum Phase { PHASE_FIRST = 40, PHASE_SECOND = 41 };

extern "C" __global__ void smooth(const float *in, float *out, unsigned count) {
  const Probe first_index = {"first index of the block"};
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Stages stages("read");
  first_index.record(blockIdx.x * blockDim.x);
  const float left = i > 0 && i <= count ? in[i - 1] : 0;
  const float here = i < count ? in[i] : 0;
  const float right = i + 1 < count ? in[i + 1] : 0;
  stages.next("blend");
  sqtt_marker_point(PHASE_FIRST); // an id of one's own: names get none of the ids that constants use
  const float blended = (left + 2 * here + right) / 4;
  sqtt_marker_point(PHASE_SECOND);
  stages.next("write");
  if (i < count)
    out[i] = blended;
}
