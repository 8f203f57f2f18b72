// At -O0 every variable is behind a flat pointer. Private memory and LDS do not count through one: not a variable, an
// array, an object behind `this`, a reference, a pointer to a local. What may be global memory counts.
// RUN: env SQTT_INSTRUMENT_MEMORY=1:0 %hip{O0} --offload-arch=gfx1100 -S -emit-llvm %s -o - | %FileCheck %s

struct Sum {
  float parts[4];
  __device__ void add(float value) { parts[1] += value; }
};
__shared__ float tile[64];

// CHECK-LABEL: define {{.*}}@_Z4bumpRiPKi(
// CHECK-NOT: s_ttracedata
// CHECK: load i32
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: "s_ttracedata_imm 0x4"
// CHECK-NOT: s_ttracedata
// CHECK: ret void
__device__ void bump(int &counter, const int *by) { counter += *by; }

// CHECK-LABEL: define {{.*}}@_Z4eachPi(
// CHECK: load i32
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: "s_ttracedata_imm 0x4"
// CHECK: store i32
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: "s_ttracedata_imm 0x8"
// CHECK: ret void
__device__ void each(int *either) { *either += 1; }

// CHECK-LABEL: define {{.*}}@k(
// CHECK-NOT: s_ttracedata
// CHECK: call {{.*}}@_Z4eachPi(
// CHECK-NOT: s_ttracedata
// CHECK: call {{.*}}@_Z4eachPi(
// CHECK-NOT: s_ttracedata
// CHECK: load float
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: "s_ttracedata_imm 0x4"
// CHECK-NOT: s_ttracedata
// CHECK: store float
// CHECK-NEXT: sched.barrier
// CHECK-NEXT: "s_ttracedata_imm 0x8"
// CHECK-NOT: s_ttracedata
// CHECK: ret void
extern "C" __global__ void k(int *p, float *q, int n) {
  int array[4] = {1, 2, 3, 4};
  int variable = array[n & 3];
  int *pointer = &variable;
  *pointer += 5;
  Sum sum = {};
  tile[n] = 3.0f;
  sum.add(tile[n]);
  bump(variable, p);
  each(&variable);
  each(p);
  q[0] = q[1] + sum.parts[2] + variable;
}

// CHECK-LABEL: define {{.*}}@_ZN3Sum3addEf(
// CHECK-NOT: s_ttracedata
// CHECK: ret void
