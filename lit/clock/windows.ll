; Windows of the clock: the whole low word but three bits, one bit at its end, no shift; and those that do not fit, by the
; default shift too.
; RUN: env SQTT_SHADER_CLOCK_BITS=29 SQTT_SHADER_CLOCK_SHIFT=3 %late %s | %FileCheck %s --check-prefix=WIDE
; RUN: env SQTT_SHADER_CLOCK_BITS=1 SQTT_SHADER_CLOCK_SHIFT=31 %late %s | %FileCheck %s --check-prefix=LAST
; RUN: env SQTT_SHADER_CLOCK_BITS=8 SQTT_SHADER_CLOCK_SHIFT=0 %late %s | %FileCheck %s --check-prefix=LOW
; RUN: env SQTT_SHADER_CLOCK_BITS=29 not %late %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=DEFAULT
; RUN: env SQTT_SHADER_CLOCK_BITS=12 SQTT_SHADER_CLOCK_SHIFT=21 not %late %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=SHIFT

; WIDE: c"M:shader_clock_bits=29;shader_clock_shift=3\0AK:k\0AK:l\0AU:1:a\0A\00"
; WIDE: "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 3, 29)\0A\09s_lshl_b32 m0, m0, 3\0A\09s_or_b32 m0, m0, 0x6\0A
; WIDE: "s_get_shader_cycles_u64 vcc\0A\09s_lshl_b32 m0, vcc_lo, 0\0A\09s_and_b32 m0, m0, 0xfffffff8\0A\09s_or_b32 m0, m0, 0x6\0A
; LAST: "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 31, 1)\0A\09s_lshl_b32 m0, m0, 31\0A
; LAST: "s_get_shader_cycles_u64 vcc\0A\09s_lshl_b32 m0, vcc_lo, 0\0A\09s_and_b32 m0, m0, 0x80000000\0A
; LOW: "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 0, 8)\0A\09s_lshl_b32 m0, m0, 24\0A
; LOW: "s_get_shader_cycles_u64 vcc\0A\09s_lshl_b32 m0, vcc_lo, 24\0A\09s_and_b32 m0, m0, 0xff000000\0A
; DEFAULT: error: sqtt: SQTT_SHADER_CLOCK_BITS=29 with SQTT_SHADER_CLOCK_SHIFT=4: the window ends at bit 33 of the clock's 32; accepted: bits and shift of at most 32 together (the shift is 4 when it is not set)
; SHIFT: error: sqtt: SQTT_SHADER_CLOCK_BITS=12 with SQTT_SHADER_CLOCK_SHIFT=21: the window ends at bit 33

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_enter(ptr)
define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
define amdgpu_kernel void @l() #1 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  ret void
}
attributes #0 = { "target-cpu"="gfx1200" }
attributes #1 = { "target-cpu"="gfx1250" }
