; Which words carry the clock: headers of the pass's own, chosen at run time or not, and every bare exit. Points and enters
; by number, and words that the user computes, are what they were. No immediate form, whatever the word; a user's own
; immediate stays one.
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %s | %FileCheck %s --check-prefixes=CHECK,GFX1201 --implicit-check-not=s_ttracedata_imm
; RUN: sed 's/gfx1201/gfx12-generic/' %s > %t.generic.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %t.generic.ll | %FileCheck %s --check-prefixes=CHECK,GFX1201 --implicit-check-not=s_ttracedata_imm
; RUN: sed 's/gfx1201/gfx1250/' %s > %t.1250.ll
; RUN: env SQTT_SHADER_CLOCK_BITS=12 %late %t.1250.ll | %FileCheck %s --check-prefixes=CHECK,GFX1250 --implicit-check-not=s_ttracedata_imm
; RUN: env SQTT_SHADER_CLOCK_BITS=0 SQTT_SHADER_CLOCK_SHIFT=7 %late %s | %FileCheck %s --check-prefix=OFF

; CHECK: c"M:shader_clock_bits=12;shader_clock_shift=4\0AK:k\0AU:1:a\0AU:2:b\0A\00"
; GFX1201: asm sideeffect "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO, 4, 12)\0A\09s_lshl_b32 m0, m0, 20\0A\09s_or_b32 m0, m0, 0x6\0A\09s_nop 3\0A\09s_ttracedata", "={m0},={scc}"
; GFX1250: asm sideeffect "s_get_shader_cycles_u64 vcc\0A\09s_lshl_b32 m0, vcc_lo, 16\0A\09s_and_b32 m0, m0, 0xfff00000\0A\09s_or_b32 m0, m0, 0x6\0A\09s_nop 3\0A\09s_ttracedata", "={m0},={scc},=&{vcc}"
; CHECK: s_or_b32 m0, m0, 0x1\0A\09s_nop 3
; CHECK: asm sideeffect "s_mov_b32 m0, 0x28\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"
; GFX1201: s_or_b32 m0, m0, $2\0A\09s_nop 3\0A\09s_ttracedata", "={m0},={scc},s"
; GFX1250: s_or_b32 m0, m0, $3\0A\09s_nop 3\0A\09s_ttracedata", "={m0},={scc},=&{vcc},s"
; CHECK: asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s"
; CHECK: s_or_b32 m0, m0, 0x1\0A\09s_nop 3
; CHECK: s_or_b32 m0, m0, 0x1\0A\09s_nop 3
; CHECK: "s_ttracedata_imm 0x30"
; OFF: c"K:k\0AU:1:a\0AU:2:b\0A\00"
; OFF-NOT: hwreg
; OFF: "s_ttracedata_imm 0x6"
; OFF-NOT: hwreg
; OFF: attributes

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @llvm.amdgcn.s.ttracedata(i32)
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
define amdgpu_kernel void @k(i32 %n, ptr addrspace(1) %p) #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  store volatile i32 0, ptr addrspace(1) %p
  call void @__sqtt_named_marker_exit(ptr null)
  store volatile i32 0, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 40)
  store volatile i32 0, ptr addrspace(1) %p
  %c = icmp eq i32 %n, 3
  %x = select i1 %c, ptr addrspacecast (ptr addrspace(4) @a to ptr), ptr addrspacecast (ptr addrspace(4) @b to ptr)
  call void @__sqtt_named_marker_enter(ptr %x)
  store volatile i32 0, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 %n)
  store volatile i32 0, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata(i32 1)
  store volatile i32 0, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata.imm(i16 1)
  store volatile i32 0, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata.imm(i16 48)
  store volatile i32 0, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1201" }
