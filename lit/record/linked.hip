// Both sections survive the linker's garbage collection, also when debug information is stripped, and neither becomes a
// note: loaders read notes.
// RUN: %hip{O2} -g --offload-arch=gfx1201 -S -emit-llvm %s -o - | %llc -filetype=obj -o %t.o
// RUN: %lld --gc-sections -shared %t.o -o %t.co
// RUN: %llvm-strip --strip-debug %t.co -o %t.stripped
// RUN: %llvm-readelf -S -p .sqtt_config -p .sqtt_funcmap %t.stripped | %FileCheck %s
// RUN: %hip{O0} --offload-arch=gfx90a -S -emit-llvm %s -o - | %llc -filetype=obj -o %t.o
// RUN: %lld --gc-sections -shared %t.o -o %t.co
// RUN: %llvm-readelf -S -p .sqtt_config -p .sqtt_funcmap %t.co | %FileCheck %s

// CHECK-DAG: .sqtt_config{{.*}}PROGBITS
// CHECK-DAG: .sqtt_funcmap{{.*}}PROGBITS
// CHECK: String dump of section '.sqtt_funcmap':
// CHECK: K:k
// CHECK: String dump of section '.sqtt_config':
// CHECK: plugin=

#include "markers.hpp"
extern "C" __global__ void k(int *p) {
  sqtt_scope whole("whole");
  p[0] = 1;
}
