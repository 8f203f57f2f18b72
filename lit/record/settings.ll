; The object says what it was compiled with, in a section that no loader reads: plugin, LLVM, settings, hash. Another
; setting, another hash.
; RUN: %late %s | %FileCheck %s
; RUN: env SQTT_SCOPE_WAVE=0x5 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s --check-prefix=OTHER
; RUN: %late %s | grep -o 'hash=[0-9a-f]*' > %t.one
; RUN: env SQTT_VERBOSE=1 %late %s 2> %t.verbose | grep -o 'hash=[0-9a-f]*' > %t.same
; RUN: env SQTT_SCOPE_WAVE=0x5 %late %s | grep -o 'hash=[0-9a-f]*' > %t.two
; RUN: diff %t.one %t.same
; RUN: not diff %t.one %t.two

; CHECK: @.sqtt_config_record.{{[0-9a-f]+}} = protected addrspace(1) constant [{{.*}} x i8] c"plugin=0.1.0\0Allvm={{[0-9.]+}}\0ASQTT_INSTRUMENT_BARRIERS=0\0ASQTT_INSTRUMENT_FUNCTIONS=0\0ASQTT_INSTRUMENT_MEMORY=off\0ASQTT_MEM_BARRIER=none\0ASQTT_SCOPE_CU=0xffff\0ASQTT_SCOPE_FORM=asm\0ASQTT_SCOPE_SIMD=0xf\0ASQTT_SCOPE_WAVE=0xffffffff\0ASQTT_SCOPE_WG=0xffffffff\0ASQTT_SHADER_CLOCK_BITS=0\0ASQTT_SHADER_CLOCK_SHIFT=4\0ASQTT_TRACE_ADDRESSES=off\0Anumeric=none\0Ahash={{[0-9a-f]+}}\0A\00", section ".sqtt_config", align 1
; CHECK: @llvm.used = {{.*}}@.sqtt_config_record.
; OTHER: SQTT_SCOPE_FORM=cfg\0ASQTT_SCOPE_SIMD=0xf\0ASQTT_SCOPE_WAVE=0x5\0A

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
