// Everything that filter, boundary and function markers write has a place in the source, in both forms.
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=fence SQTT_INSTRUMENT_FUNCTIONS=1 %hip{O0} -g --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg SQTT_MEM_BARRIER=fence SQTT_INSTRUMENT_FUNCTIONS=1 %hip{O2} -g --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=CHECK,CFG
// RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=asm SQTT_MEM_BARRIER=fence SQTT_INSTRUMENT_FUNCTIONS=1 %hip{O2} -g --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

// CHECK: c"F:{{[0-9]+}}:_Z4workPi@{{.*}}debug-info.hip:[[#@LINE+14]]\0A
// CHECK-LABEL: define{{.*}} @_Z4workPi(
// CHECK-NOT: getreg(i32 6807){{$}}
// CHECK: fence syncscope("{{workgroup|singlethread}}") acq_rel, {{.*}}!dbg
// CHECK: ttracedata{{.*}}!dbg
// CHECK: fence syncscope("{{workgroup|singlethread}}") acq_rel, {{.*}}!dbg
// CFG: br label {{.*}}!dbg
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @k(
// CHECK: fence syncscope("{{workgroup|singlethread}}") acq_rel, {{.*}}!dbg
// CHECK: ttracedata{{.*}}!dbg

#include "markers.hpp"

__device__ __noinline__ void work(int *p) { p[0] = p[1] * 3 + p[2]; }
extern "C" __global__ void k(int *p) {
  sqtt_scope whole("whole");
  work(p);
}
