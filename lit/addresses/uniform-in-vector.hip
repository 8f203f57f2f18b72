// An address that all lanes agree about, but that is in vector registers: it still reaches M0 through a scalar one.
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O2} --offload-arch=gfx1100 -S %s -o - | %FileCheck %s
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds %hip{O3} --offload-arch=gfx90a -S %s -o - | %FileCheck %s
// RUN: env SQTT_TRACE_ADDRESSES=memory,lds SQTT_SCOPE_CU=1 %hip{O3} --offload-arch=gfx1201 -S %s -o - | %FileCheck %s

// CHECK-LABEL: k:
// CHECK-NOT: {{m0, v[0-9]}}
// CHECK: s_endpgm
extern "C" __global__ void k(int *p, int n) {
  __shared__ int shared[256];
  shared[__lane()] = n;
  for (int i = 0; i < n; ++i) {
    p[__lane()] = i;
    int at = p[i];
    if (at & 1) p[at] = shared[p[at + 1]];
    for (int k = 0; k < (at & 7); ++k) shared[at + k] = p[shared[k + at]];
  }
}
