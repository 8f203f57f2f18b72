// Errors and warnings have the place of the user's call, with and without debug information, also behind a guard and a
// wrapper; where nobody knows a place, they name the function.
// RUN: not %hip{O2} -DCASE=1 --offload-arch=gfx803 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=GUARD
// RUN: not %hip{O0} -DCASE=1 --offload-arch=gfx803 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=GUARD
// RUN: not %hip{O2} -DCASE=1 -g --offload-arch=gfx803 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=GUARD
// RUN: not %hip{O2} -DCASE=2 --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TAKEN
// RUN: not %hip{O2} -DCASE=2 -g --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TAKEN-DEBUG
// RUN: not %hip{O0} -DCASE=3 --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TABLE
// RUN: not %hip{O0} -DCASE=3 -g --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=TABLE-DEBUG
// RUN: not %hip{O2} -DCASE=4 -g --offload-arch=gfx1100 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=CALLERS
// RUN: not env SQTT_INSTRUMENT_BARRIERS=1 %hip{O2} -DCASE=0 --offload-arch=gfx803 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=FUNCTION
// RUN: not env SQTT_INSTRUMENT_BARRIERS=1 %hip{O2} -DCASE=0 -g --offload-arch=gfx803 -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=FUNCTION-DEBUG

// GUARD: places.hip:[[#@LINE+21]]:16: error: sqtt: function k(int*, int) has named markers, but its target-cpu is "gfx803"
// GUARD-NEXT: sqtt_scope guard("x")
// TAKEN: error: sqtt: function k(int*, int): the marker __sqtt_named_marker_point is used other than by a plain call
// TAKEN-DEBUG: places.hip:[[#@LINE+21]]:{{[0-9]+}}: error: sqtt: the marker __sqtt_named_marker_point is used other than
// TABLE: error: sqtt: variable table: the marker __sqtt_named_marker_exit is used other than by a plain call
// TABLE-DEBUG: error: sqtt: {{.*}}places.hip:[[#@LINE+12]]: the marker __sqtt_named_marker_exit is used other than
// CALLERS: places.hip:[[#@LINE+8]]:3: error: sqtt: the name of this marker is empty or not known {{.*}} (called from {{.*}}places.hip:[[#@LINE+20]]:3)
// FUNCTION: error: sqtt: function k(int*, int) is to be instrumented, but its target-cpu is "gfx803"
// FUNCTION-DEBUG: places.hip:[[#@LINE+11]]:{{[0-9]+}}: error: sqtt: function k(int*, int) is to be instrumented

#include "markers.hpp"

__device__ __attribute__((always_inline)) inline void wrapper(const char *name) {
  // Not the end of it.
  sqtt_marker_point(name);
}
#if CASE == 3
__device__ void (*table)(const char *) = sqtt_marker_exit;
#endif
__global__ void k(int *p, int n) {
#if CASE == 1
  { sqtt_scope guard("x"); p[0] = n; }
#elif CASE == 2
  void (*taken)(const char *) = sqtt_marker_point;
  p[0] = reinterpret_cast<long>(taken) > n;
#elif CASE == 4
  wrapper(reinterpret_cast<const char *>(p));
#endif
  p[1] = n;
}
