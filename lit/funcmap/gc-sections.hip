// The map survives a link that collects garbage. (AMDGPU objects get no SHF_GNU_RETAIN for what is in llvm.used.)
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o %t.ll
// RUN: %llc -O2 -filetype=obj %t.ll -o %t.o
// RUN: %lld --no-undefined -shared --gc-sections %t.o -o %t.co
// RUN: %llvm-readelf -p .sqtt_funcmap %t.co | %FileCheck %s
// RUN: %hip{O2} --offload-arch=gfx1100 -Xoffload-linker --gc-sections -c --no-gpu-bundle-output %s -o %t.co
// RUN: %llvm-readelf -p .sqtt_funcmap %t.co | %FileCheck %s

// CHECK: K:_Z1kPi

#include "markers.hpp"

__global__ void k(int *p) {
  sqtt_marker_point("x");
  p[0] = 1;
}
