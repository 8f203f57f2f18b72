// Device code linked as bitcode: with the plugin at the link alone the phases run there, and all translation units are
// numbered together; objects whose compile ran them come out as they went in.
// RUN: %plainhip -fgpu-rdc -O2 -DSQTT_ENABLED=1 --offload-arch=gfx1100 --no-gpu-bundle-output -c %s -o %t.a.bc
// RUN: %plainhip -fgpu-rdc -O2 -DSQTT_ENABLED=1 --offload-arch=gfx1100 --no-gpu-bundle-output -c %S/Inputs/other.hip -o %t.b.bc
// RUN: %lld --load-pass-plugin=%plugin --lto-O2 -plugin-opt=mcpu=gfx1100 -shared %t.a.bc %t.b.bc --no-undefined -o %t.co
// RUN: %llvm-readelf -p .sqtt_funcmap %t.co | %FileCheck %s --check-prefix=LINK
// RUN: %hip{O2} -fgpu-rdc --offload-arch=gfx1100 --no-gpu-bundle-output -c %s -o %t.a.bc
// RUN: %hip{O2} -fgpu-rdc --offload-arch=gfx1100 --no-gpu-bundle-output -c %S/Inputs/other.hip -o %t.b.bc
// RUN: %lld --load-pass-plugin=%plugin --lto-O2 -plugin-opt=mcpu=gfx1100 -shared %t.a.bc %t.b.bc --no-undefined -o %t.co
// RUN: %llvm-readelf -p .sqtt_funcmap %t.co | %FileCheck %s --check-prefix=TWICE

// LINK: K:_Z1kPi.U:{{[12]}}:{{first|other}}.U:{{[12]}}:{{first|other}}.{{$}}
// LINK-NOT: U:
// TWICE-DAG: K:_Z1kPi.U:[[#%u,]]:first.
// TWICE-DAG: U:[[#%u,]]:other.

#include "markers.hpp"
__device__ int shared_work(int *p);
__global__ void k(int *p) {
  sqtt_scope scope("first");
  p[1] = shared_work(p);
}
