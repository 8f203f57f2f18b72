// Without filter and boundary a marker in the immediate form is one instruction: nothing stands between two of them.
// RUN: env SQTT_MEM_BARRIER=none %hip{O2} --offload-arch=gfx1100 -S %s -o %t.with
// RUN: env SQTT_MEM_BARRIER=none %hip{O2} -USQTT_ENABLED --offload-arch=gfx1100 -S %s -o %t.without
// RUN: %FileCheck %s < %t.with
// RUN: grep -cE "^\s+s_ttracedata_imm" %t.with | %FileCheck %s --check-prefix=COUNT
// RUN: grep -E "^\s+[sv]_" %t.with | grep -v s_ttracedata_imm > %t.rest
// RUN: grep -E "^\s+[sv]_" %t.without > %t.plain
// RUN: diff %t.rest %t.plain
// COUNT: 3
// CHECK: s_ttracedata_imm 0x6
// CHECK: s_ttracedata_imm 0x8
// CHECK: s_ttracedata_imm 0x1

#include "markers.hpp"
extern "C" __global__ void k() {
  sqtt_marker_enter("a");
  sqtt_marker_point("b");
  sqtt_marker_exit("a");
}
