// The newer public spelling of the sentinels: extern "C" declarations, without the header.
// RUN: %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O1} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O2} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known
// RUN: %hip{O3} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s %only %known

// CHECK: c"K:_Z1kPii\0AU:1:s\0AP:2:e\0AP:3:d\0AR:3:extra_payload_count=1\0A\00", section ".sqtt_funcmap"
// CHECK-LABEL: define{{.*}} amdgpu_kernel void @_Z1kPii(
// CHECK: "s_ttracedata_imm 0x6"
// CHECK: "s_ttracedata_imm 0x8"
// CHECK: "s_ttracedata_imm 0xc\0A\09s_mov_b32 m0, 0x7
// CHECK: "s_ttracedata_imm 0x1"

extern "C" {
__device__ void sqtt_marker_enter(const char *);
__device__ void sqtt_marker_exit(const char *);
__device__ void sqtt_marker_point(const char *);
__device__ void sqtt_marker_data(const char *, __UINT32_TYPE__);
}

__global__ void k(int *p, int n) {
  sqtt_marker_enter("s");
  p[0] = n;
  sqtt_marker_point("e");
  p[1] = n;
  sqtt_marker_data("d", 7);
  sqtt_marker_exit("s");
}
