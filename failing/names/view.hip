// A pair of pointer and length made by a constructor, as std::string_view is one, at -O0.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AP:1:viewed\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x4"

#include "markers.hpp"

struct View {
  const char *pointer;
  unsigned long length;
  template <unsigned long N> __device__ constexpr View(const char (&text)[N]) : pointer(text), length(N - 1) {}
  __device__ constexpr const char *data() const { return pointer; }
};
__device__ void mark(View view) { sqtt_marker_point(view.data()); }
__global__ void k(int *p, int n) {
  mark("viewed");
  p[0] = n;
}
