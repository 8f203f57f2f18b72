// Id 0 is reserved: its markers are words that decoders ignore, and an exit still pops. clang says so at the line of a
// constant; the plugin where a constant comes by another way, once. The marker stays.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=warning:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o %t.ll 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WARN --implicit-check-not=warning:
// RUN: %FileCheck %s --input-file=%t.ll
// RUN: %hip{O2} -g --offload-arch=gfx1100 -S -emit-llvm -Wno-error %s -o /dev/null 2> %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=DEBUG

// WARN: enter-zero.hip:[[#@LINE+21]]:22: warning: id 0 is reserved, decoders ignore such a marker: use an id from 1
// WARN: enter-zero.hip:[[#@LINE+21]]:{{[0-9]+}}: warning: id 0 is reserved
// WARN: enter-zero.hip:[[#@LINE+21]]:{{[0-9]+}}: warning: id 0 is reserved
// WARN: warning: sqtt: function k(int*, int): entering scope 0 records a reserved word that decoders ignore
// WARN: warning: sqtt: function k(int*, int): marker id 0 is reserved, and decoders ignore it; use a number from 1
// WARN: warning: sqtt: function k(int*, int): marker id 0
// WARN: warning: sqtt: function k(int*, int): entering scope 0
// WARN: {{^}}7 warnings generated
// DEBUG: warning: sqtt: {{.*}}enter-zero.hip:[[#@LINE+18]]:3: entering scope 0
// DEBUG: warning: sqtt: {{.*}}enter-zero.hip:[[#@LINE+23]]:3: marker id 0 is reserved
// DEBUG: warning: sqtt: {{.*}}enter-zero.hip:[[#@LINE+19]]:3: marker id 0 is reserved
// DEBUG: warning: sqtt: {{.*}}enter-zero.hip:[[#@LINE+22]]:3: entering scope 0
// CHECK: {{s_mov_b32 m0, (0x2|\$1)}}

#include "markers.hpp"

enum class Id { none };
__device__ void wrapper(int id) { sqtt_marker_enter(id); }

__global__ void k(int *p, int n) {
  // What constants are in the calls.
  sqtt_marker_enter(0);
  sqtt_marker_point(Id::none);
  { sqtt_scope guard(0u); p[0] = n; }
  sqtt_marker_exit(0);
  // What the plugin sees.
  wrapper(0);
  sqtt_marker_exit();
  int none = 0;
  sqtt_marker_point(none);
  // Once, though two arms say so.
  int arms = n > 1 ? 0 : 0;
  sqtt_marker_point(arms);
  __builtin_amdgcn_s_ttracedata(2);
}
