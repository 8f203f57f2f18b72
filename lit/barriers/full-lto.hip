// Barriers and memory operations of device code that is linked as bitcode. With the plugin at the link alone all
// translation units share the points' numbers. Objects whose compile ran the plugin come out with one point per place, not
// two.
// RUN: %plainhip -fgpu-rdc -O2 -DSQTT_ENABLED=1 --offload-arch=gfx1201 --no-gpu-bundle-output -c %s -o %t.a.bc
// RUN: %plainhip -fgpu-rdc -O2 -DSQTT_ENABLED=1 -DOTHER --offload-arch=gfx1201 --no-gpu-bundle-output -c %s -o %t.b.bc
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SHADER_CLOCK_BITS=10 %lld --load-pass-plugin=%plugin --lto-O2 -plugin-opt=mcpu=gfx1201 -shared %t.a.bc %t.b.bc --no-undefined -o %t.link.co
// RUN: %llvm-readelf -p .sqtt_funcmap %t.link.co | %FileCheck %s --check-prefix=LINK
// RUN: %llvm-objdump -d %t.link.co | grep -c 's_ttracedata' | %FileCheck %s --check-prefix=COUNT
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SHADER_CLOCK_BITS=10 SQTT_ID_SPACE=compact %hip{O2} -fgpu-rdc --offload-arch=gfx1201 --no-gpu-bundle-output -c %s -o %t.a.bc
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SHADER_CLOCK_BITS=10 SQTT_ID_SPACE=compact %hip{O2} -DOTHER -fgpu-rdc --offload-arch=gfx1201 --no-gpu-bundle-output -c %s -o %t.b.bc
// RUN: env SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SHADER_CLOCK_BITS=10 %lld --load-pass-plugin=%plugin --lto-O2 -plugin-opt=mcpu=gfx1201 -shared %t.a.bc %t.b.bc --no-undefined -o %t.twice.co
// RUN: %llvm-objdump -d %t.twice.co | grep -c 's_ttracedata' | %FileCheck %s --check-prefix=COUNT

// LINK: M:shader_clock_bits=10;shader_clock_shift=4
// LINK-SAME: K:k
// LINK-SAME: P:1:barrier.P:2:vmem_load.P:3:vmem_store
// COUNT: {{^}}6{{$}}

#ifdef OTHER
extern "C" __device__ __noinline__ void other(int *p) {
  p[__lane()] = 3;
  __builtin_amdgcn_s_barrier();
}
#else
extern "C" __device__ void other(int *p);
extern "C" __global__ void k(int *p, int *q) {
  p[__lane()] = q[__lane()];
  __builtin_amdgcn_s_barrier();
  other(q);
  p[__lane() + 1] = 5;
}
#endif
