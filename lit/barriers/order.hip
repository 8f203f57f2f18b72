// Numbers: early names first, then barriers in their own fixed order, then what only the late phase sees: at -O0
// everything. A second run changes nothing. The user's point of the same name is another one.
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s --check-prefix=O2 --input-file=%t.ll
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=O0
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 %late %t.ll -o %t.again.ll
// RUN: grep -c 's_ttracedata_imm' %t.again.ll | %FileCheck %s --check-prefix=COUNT

// O2: c"K:k\0AU:1:scope\0AP:2:barrier\0AP:3:barrier\0A\00"
// O2: s_ttracedata_imm 0x6
// O2: s_ttracedata_imm 0xc"
// O2: call void @llvm.amdgcn.s.barrier()
// O2: s_ttracedata_imm 0x8"
// O2: s_ttracedata_imm 0x1"
// O0: c"K:k\0AU:2:scope\0AP:3:barrier\0AP:1:barrier\0A\00"
// COUNT: {{^}}4{{$}}

#include "markers.hpp"
extern "C" __global__ void k() {
  sqtt_scope scope("scope");
  __builtin_amdgcn_s_barrier();
  sqtt_marker_point("barrier");
}
