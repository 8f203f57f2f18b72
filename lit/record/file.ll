; SQTT_CONFIG names a file with the same settings; the environment wins.
; RUN: env -u SQTT_SCOPE_CU -u SQTT_MEM_BARRIER SQTT_CONFIG=%S/Inputs/good.toml %late %s | %FileCheck %s
; RUN: env SQTT_SCOPE_CU=0x8 SQTT_CONFIG=%S/Inputs/good.toml %late %s | %FileCheck %s --check-prefix=WINS
; RUN: not env SQTT_CONFIG=%S/Inputs/unknown.toml %late %s 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
; RUN: not env SQTT_CONFIG=%S/Inputs/broken.toml %late %s 2>&1 | %FileCheck %s --check-prefix=BROKEN
; RUN: not env SQTT_CONFIG=%S/Inputs/list.toml %late %s 2>&1 | %FileCheck %s --check-prefix=LIST
; RUN: not env SQTT_CONFIG=%S/Inputs/absent.toml %late %s 2>&1 | %FileCheck %s --check-prefix=ABSENT

; CHECK: SQTT_INSTRUMENT_FUNCTIONS=cost:50\0A{{.*}}SQTT_MEM_BARRIER=asm\0ASQTT_SCOPE_CU=0x4\0A
; WINS: SQTT_SCOPE_CU=0x8\0A
; UNKNOWN: error: sqtt: {{.*}}unknown.toml: SQTT_SCOP_CU: unknown setting; did you mean SQTT_SCOPE_CU?
; BROKEN: error: sqtt: SQTT_CONFIG={{.*}}broken.toml: TOML parse error at line 1, column
; LIST: error: sqtt: SQTT_CONFIG={{.*}}list.toml: SQTT_SCOPE_CU is of type array
; ABSENT: error: sqtt: SQTT_CONFIG={{.*}}absent.toml: No such file

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() #0 {
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
