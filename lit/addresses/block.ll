; The block of a load: header and EXEC in one asm, a loop over all lanes that is never unrolled, then the operation. The
; boundaries stand around all of it. EXEC of a wave of 64 lanes has two halves.
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s | %FileCheck %s --check-prefixes=CHECK,NONE
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_MEM_BARRIER=asm %late %s | %FileCheck %s --check-prefixes=CHECK,ASM
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_MEM_BARRIER=fence %late %s | %FileCheck %s --check-prefixes=CHECK,FENCE

; CHECK-LABEL: define amdgpu_kernel void @narrow_wave(
; CHECK: %[[A:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK-NEXT: %[[B:.*]] = trunc i64 %[[A]] to i32
; CHECK-NEXT: %[[H:.*]] = lshr i64 %[[A]], 32
; CHECK-NEXT: %[[T:.*]] = trunc i64 %[[H]] to i32
; CHECK-NEXT: %[[LOW:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[B]])
; CHECK-NEXT: %[[HIGH:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[T]])
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; ASM-NEXT: call void asm sideeffect "", "~{memory}"()
; FENCE-NEXT: fence syncscope("workgroup") acq_rel, !mmra
; CHECK-NEXT: call i16 asm sideeffect "s_ttracedata_imm 0x4\0A\09s_mov_b32 m0, exec_lo\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, 0x0\0A\09s_nop 3\0A\09s_ttracedata", "={m0}{{(,i)?}}"({{(i32 0)?}}) #[[MARKER:[0-9]+]]
; CHECK-NEXT: br label %sqtt.lanes
; CHECK: sqtt.lanes:
; CHECK-NEXT: %[[LANE:.*]] = phi i32 [ 0, %0 ], [ %[[NEXT:.*]], %sqtt.lanes ]
; CHECK-NEXT: %[[L:.*]] = call i32 @llvm.amdgcn.readlane.i32(i32 %[[LOW]], i32 %[[LANE]])
; CHECK-NEXT: %[[H:.*]] = call i32 @llvm.amdgcn.readlane.i32(i32 %[[HIGH]], i32 %[[LANE]])
; CHECK-NEXT: call i16 asm sideeffect "s_mov_b32 m0, $1\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, $2\0A\09s_nop 3\0A\09s_ttracedata", "={m0},s,s{{(,i)?}}"(i32 %[[L]], i32 %[[H]]{{(, i32 0)?}}) #[[MARKER]]
; CHECK-NEXT: %[[NEXT]] = add nuw i32 %[[LANE]], 1
; CHECK-NEXT: %[[MORE:.*]] = icmp ne i32 %[[NEXT]], 32
; CHECK-NEXT: br i1 %[[MORE]], label %sqtt.lanes, label %sqtt.lanes.done, !llvm.loop ![[LOOP:[0-9]+]]
; CHECK: sqtt.lanes.done:
; ASM-NEXT: call void asm sideeffect "", "~{memory}"()
; FENCE-NEXT: fence syncscope("workgroup") acq_rel, !mmra
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: load i32, ptr addrspace(1) %p
; CHECK-LABEL: define amdgpu_kernel void @wide_wave(
; CHECK: asm sideeffect "s_ttracedata_imm 0x8\0A\09s_mov_b32 m0, exec_lo\0A\09s_nop 3\0A\09s_ttracedata\0A\09s_mov_b32 m0, exec_hi\0A\09s_nop 3\0A\09s_ttracedata", "={m0}{{(,i)?}}"({{(i32 0)?}})
; CHECK: icmp ne i32 %{{.*}}, 64
; CHECK: store i32 %{{.*}}, ptr addrspace(1) %p
; CHECK-LABEL: define amdgpu_kernel void @lds(
; CHECK: %[[A:.*]] = load i32, ptr addrspace(3) %p
; CHECK-NEXT: ret void
; CHECK: attributes #[[MARKER]] = { convergent nomerge nounwind memory(inaccessiblemem: readwrite) "call-inline-cost"="0" }
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[NEVER:[0-9]+]]}
; CHECK: ![[NEVER]] = !{!"llvm.loop.unroll.disable"}
; NONE-NOT: ~{memory}

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @narrow_wave(ptr addrspace(1) %p) #0 {
  %v = load i32, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @wide_wave(ptr addrspace(1) %p, i32 %v) #1 {
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define amdgpu_kernel void @lds(ptr addrspace(3) %p) #0 {
  %v = load i32, ptr addrspace(3) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
attributes #1 = { "target-cpu"="gfx1100" "target-features"="+wavefrontsize64" }
