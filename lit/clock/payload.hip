// The same in a whole compile: one error, at the marker's line without debug information too, and no crash of the code
// generator behind it.
// RUN: env SQTT_SHADER_CLOCK_BITS=12 not %hip{O0} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s
// RUN: env SQTT_SHADER_CLOCK_BITS=12 not %hip{O2} --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s
// RUN: env SQTT_SHADER_CLOCK_BITS=12 not %hip{O2} -g --offload-arch=gfx1201 -c %s -o %t.co 2>&1 | %FileCheck %s

// CHECK-NOT: {{error|crash|fatal}}
// CHECK: payload.hip:[[#@LINE+6]]:3: error: sqtt: SQTT_SHADER_CLOCK_BITS=12: marker "value" has a payload
// CHECK-NOT: {{fatal|Cannot|Stack dump|bug report}}

#include "markers.hpp"
extern "C" __global__ void k(int n) {
  sqtt_scope scope("all");
  sqtt_marker_data("value", n);
}
