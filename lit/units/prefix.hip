// Ids of a unit that is linked with others share a prefix of 27 bits here, 5 markers leave no more; another salt is another
// prefix, another folder is not. The linker would find a second unit with it by the names of the sections.
// RUN: %hip{O0} -fuse-cuid=hash -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: %hip{O2} -fuse-cuid=hash -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: env SQTT_ID_SPACE=unit %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s
// RUN: cp %s %t.copy.hip
// RUN: %hip{O2} -fuse-cuid=random -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %t.copy.hip -o - | %FileCheck %s
// RUN: env SQTT_UNIT_SALT=1 %hip{O2} -fgpu-rdc --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=SALT --implicit-check-not=ids-0x12c00b2-27

// CHECK: @.sqtt_func_id_map.ids-0x[[#%x,PREFIX:]]-27.if-twice-set-SQTT_UNIT_SALT = protected addrspace(1) constant
// CHECK-SAME: c"K:k\0AU:[[#%u,add(mul(PREFIX,8),1)]]:one\0AP:[[#%u,add(mul(PREFIX,8),2)]]:two\0AP:[[#%u,add(mul(PREFIX,8),3)]]:three\0AP:[[#%u,add(mul(PREFIX,8),4)]]:four\0AP:[[#%u,add(mul(PREFIX,8),5)]]:five\0A\00"
// CHECK-SAME: section ".sqtt_funcmap"
// CHECK: @.sqtt_config_record.ids-0x[[#%x,PREFIX]]-27.if-twice-set-SQTT_UNIT_SALT = protected addrspace(1) constant
// CHECK: s_mov_b32 m0, 0x[[#%x,add(mul(PREFIX,32),6)]]\0A
// SALT: @.sqtt_func_id_map.ids-0x{{[0-9a-f]+}}-27.if-twice-set-SQTT_UNIT_SALT = protected

#include "markers.hpp"
extern "C" __global__ void k(int *) {
  sqtt_scope guard("one");
  sqtt_marker_point("two");
  sqtt_marker_point("three");
  sqtt_marker_point("four");
  sqtt_marker_point("five");
}
