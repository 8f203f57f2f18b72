; On gfx9 nothing is immediate, one wait state is enough, and waves have 64 lanes. LDS has one word per lane.
; RUN: env SQTT_TRACE_ADDRESSES=lds %late %s | %FileCheck %s --implicit-check-not=s_ttracedata_imm

; CHECK: W:64\0AP:1:addr_trace_lds_store\0AR:1:extra_payload_count=66\0A
; CHECK: %[[B:.*]] = ptrtoint ptr addrspace(3) %p to i32
; CHECK-NEXT: %[[A:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[B]])
; CHECK: asm sideeffect "s_mov_b32 m0, 0x4\0A\09s_nop 0\0A\09s_ttracedata\0A\09s_mov_b32 m0, exec_lo\0A\09s_nop 0\0A\09s_ttracedata\0A\09s_mov_b32 m0, exec_hi\0A\09s_nop 0\0A\09s_ttracedata", "={m0}"()
; CHECK: %[[L:.*]] = call i32 @llvm.amdgcn.readlane.i32(i32 %[[A]], i32 %{{.*}})
; CHECK-NEXT: asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 0\0A\09s_ttracedata", "={m0},s"(i32 %[[L]])
; CHECK: icmp ne i32 %{{.*}}, 64

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(3) %p, i32 %v) #0 {
  store i32 %v, ptr addrspace(3) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx90a" }
