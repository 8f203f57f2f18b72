// The clock with everything else: many functions, barriers, memory operations, the filter in both forms. Every record of
// the pass's has it, and none is written in the immediate form.
// RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SCOPE_CU=1 SQTT_MEM_BARRIER=fence SQTT_SCOPE_FORM=cfg %hip{O2} --offload-arch=gfx1201 -S %s -o %t.cfg.s
// RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SCOPE_CU=1 SQTT_MEM_BARRIER=fence SQTT_SCOPE_FORM=asm %hip{O2} --offload-arch=gfx1201 -S %s -o %t.asm.s
// RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_INSTRUMENT_FUNCTIONS=1 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=1:0 SQTT_SCOPE_FORM=asm %hip{O0} --offload-arch=gfx1201 -S %s -o %t.O0.s
// RUN: %FileCheck %s --input-file=%t.cfg.s --implicit-check-not=s_ttracedata_imm
// RUN: %FileCheck %s --input-file=%t.asm.s --implicit-check-not=s_ttracedata_imm
// RUN: %FileCheck %s --input-file=%t.O0.s --implicit-check-not=s_ttracedata_imm --check-prefix=O0
// RUN: grep -c 's_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)' %t.cfg.s > %t.samples
// RUN: grep -c 's_ttracedata$' %t.cfg.s | diff %t.samples -
// RUN: grep -c 's_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)' %t.asm.s > %t.samples
// RUN: grep -c 's_ttracedata$' %t.asm.s | diff %t.samples -
// RUN: grep -c 's_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)' %t.O0.s > %t.samples
// RUN: grep -c 's_ttracedata$' %t.O0.s | diff %t.samples -

// CHECK: s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)
// CHECK-NEXT: s_lshl_b32 m0, m0, 20
// CHECK-NEXT: s_or_b32 m0, m0,
// CHECK-NEXT: s_nop 3
// CHECK-NEXT: s_ttracedata
// CHECK: .asci{{[iz]}} "M:shader_clock_bits=12;shader_clock_shift=4\n
// O0: .asci{{[iz]}} "M:shader_clock_bits=12;shader_clock_shift=4\n

#include "markers.hpp"
__device__ __noinline__ float one(float *p, int i) { return p[i] * 2.0f + p[i + 1]; }
__device__ __noinline__ float two(float *p, int i) { return one(p, i) + one(p, i + 7) * p[i + 2]; }
__device__ __noinline__ float three(float *p, int i) { return two(p, i) - two(p, i + 9); }
extern "C" __global__ void k(float *p, int n) {
  sqtt_scope scope("all");
  int i = __lane();
  p[i] = three(p, i + n);
  __builtin_amdgcn_s_barrier();
  sqtt_marker_point("half");
  p[i + 64] = one(p, i);
}
