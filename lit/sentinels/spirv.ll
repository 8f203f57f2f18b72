; A marker in code that is compiled for a GPU later, where no plugin is: an error. Code without markers is none of ours.
; RUN: not %O2 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error
; RUN: not %O0 %s -o /dev/null 2>&1 | %FileCheck %s --implicit-check-not=error
; RUN: sed 's/call.*//' %s | %O2 - -o - 2>&1 | %FileCheck %s --check-prefix=NONE

; CHECK: error: sqtt: function k: a marker in code for spirv64-amd-amdhsa, which is no GPU; name the GPUs to compile for, such as --offload-arch=gfx942
; NONE-NOT: sqtt:
; NONE: define spir_kernel void @k

target triple = "spirv64-amd-amdhsa"
@a = private unnamed_addr addrspace(1) constant [2 x i8] c"a\00"
declare spir_func void @__sqtt_named_marker_point(ptr addrspace(4))
define spir_kernel void @k() {
  call spir_func void @__sqtt_named_marker_point(ptr addrspace(4) addrspacecast (ptr addrspace(1) @a to ptr addrspace(4)))
  ret void
}
