; A second late phase changes nothing, and neither does a second pipeline add records.
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %s -o %t.1.ll
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %t.1.ll -o %t.2.ll
; RUN: sed -e '/ModuleID/d' -e '/^source_filename/d' %t.1.ll > %t.1
; RUN: sed -e '/ModuleID/d' -e '/^source_filename/d' %t.2.ll > %t.2
; RUN: diff %t.1 %t.2
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %O3 %t.1.ll | %FileCheck %s
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %O0 %t.1.ll | %FileCheck %s

; CHECK: W:32\0AP:1:addr_trace_load\0AR:1:extra_payload_count=66\0AP:2:addr_trace_lds_store\0AR:2:extra_payload_count=34\0A\00
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-COUNT-4: asm sideeffect "s_{{.*}}s_ttracedata
; CHECK-NOT: s_ttracedata

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %q) #0 {
  %v = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %v, ptr addrspace(3) %q
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
