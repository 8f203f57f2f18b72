// Markers where lanes part: only a wave with a lane in a branch records the branch's markers, and a wave with lanes on
// both sides records both, one after the other.
//
//   hipcc --offload-arch=gfx1100 -O2 -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so -c examples/divergent.hip -o divergent.o
//
// Without ROCm, the device half alone:
//
//   clang-22 -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=gfx1100 -O2 -nogpuinc -nogpulib \
//     -DWITHOUT_HIP_RUNTIME -DSQTT_ENABLED=1 -I include \
//     -fpass-plugin=target/release/libsqttinstrumentpass.so examples/divergent.hip -o divergent.co
#include "kernel.hpp"
#include "markers.hpp"

// Steps of the Collatz sequence, one number per thread: lanes leave the loop at different times.
extern "C" __global__ void collatz(const unsigned *numbers, unsigned *steps, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return; // waves behind the end record nothing
  sqtt_scope whole("collatz");
  unsigned value = numbers[i];
  unsigned taken = 0;
  while (value > 1) { // recorded as often as the longest lane of the wave runs
    if (value % 2 == 0) {
      sqtt_scope branch("even");
      value /= 2;
    } else {
      sqtt_scope branch("odd");
      value = 3 * value + 1;
    }
    ++taken;
  }
  // A name that lanes disagree about is taken from the first active lane.
  sqtt_marker_point(taken > 100 ? "long sequence" : "short sequence");
  sqtt_marker_data("steps of the first active lane", taken);
  steps[i] = taken;
}
