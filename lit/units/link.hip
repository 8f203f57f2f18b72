// A compile for the plugin at the link leaves no word, no map and no point: symbols that no linker knows, whose name says the
// option, the ledger and the settings. A plugin that is loaded twice leaves the same.
// RUN: env SQTT_ID_SPACE=link SQTT_INSTRUMENT_BARRIERS=1 %hip{O0} -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not=.sqtt_func_id_map --implicit-check-not="s_mov_b32 m0"
// RUN: env SQTT_ID_SPACE=link SQTT_INSTRUMENT_BARRIERS=1 %hip{O2} -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not=.sqtt_func_id_map --implicit-check-not="s_mov_b32 m0"
// RUN: env SQTT_ID_SPACE=link SQTT_INSTRUMENT_BARRIERS=1 %hip{O2} -fpass-plugin=%plugin -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not=.sqtt_func_id_map --implicit-check-not="s_mov_b32 m0"

// CHECK-DAG: @"sqtt.marker: link with -Xoffload-linker --load-pass-plugin=libsqttinstrumentpass.so, not as ThinLTO: [[UNIT:[0-9a-f]+]].sqtt.marker.0.enter" = external hidden addrspace(1) global i8
// CHECK-DAG: @"sqtt.marker: link with -Xoffload-linker --load-pass-plugin=libsqttinstrumentpass.so, not as ThinLTO: [[UNIT]]" = external hidden addrspace(1) global i8
// CHECK-DAG: @.sqtt_link.[[UNIT]] = protected addrspace(1) constant i32 ptrtoint (ptr addrspace(1) @"sqtt.marker: link with {{[^"]+}}: [[UNIT]]" to i32)
// CHECK: call void @llvm.amdgcn.s.ttracedata(i32 ptrtoint (ptr addrspace(1) @"sqtt.marker: link with {{[^"]+}}: [[UNIT]].sqtt.marker.0.enter" to i32))
// CHECK: s.barrier
// CHECK: !sqtt.units = !{![[ROW:[0-9]+]]}
// CHECK: !sqtt.units.settings = !{![[#%u,FIRST:]],
// CHECK: ![[ROW]] = !{!"[[UNIT]]", i32 0, !"user", !"one", !"", i32 0, i32 0, i32 0}
// CHECK: ![[#FIRST]] = !{!"[[UNIT]]", !"{{[^"]*}}link.hip", !"SQTT_INSTRUMENT_BARRIERS", !"1"}

#include "markers.hpp"
extern "C" __global__ void k(int *) {
  sqtt_scope guard("one");
  __builtin_amdgcn_s_barrier();
}
