; A block that is split stays the block that it was to those who jump to it: by its address, by a switch, by a phi's edge.
; RUN: env SQTT_SCOPE_CU=1 SQTT_SCOPE_FORM=cfg %late %s | %FileCheck %s
; RUN: env SQTT_TRACE_ADDRESSES=memory SQTT_SCOPE_CU=1 %late %s | %FileCheck %s --check-prefix=LOOP

; CHECK: @table = internal addrspace(4) constant [2 x ptr] [ptr blockaddress(@k, %first), ptr blockaddress(@k, %second)]
; CHECK: indirectbr ptr %to, [label %first, label %second]
; CHECK: first:
; CHECK-NEXT: %a = phi i32 [ 1, %entry ], [ 2, %second ]
; CHECK: br i1 %{{.*}}, label %sqtt.trace, label %sqtt.skip
; CHECK: sqtt.trace:
; CHECK: br label %sqtt.skip
; CHECK: sqtt.skip:
; CHECK: store i32 %a
; CHECK: br i1 %{{.*}}, label %[[TRACE:sqtt.trace[0-9]+]], label %[[SKIP:sqtt.skip[0-9]+]]
; CHECK: [[SKIP]]:
; CHECK-NEXT: switch i32 %n, label %done [
; CHECK: second:
; CHECK: done:
; CHECK-NEXT: %d = phi i32 [ %a, %[[SKIP]] ]

; LOOP: [ptr blockaddress(@k, %first), ptr blockaddress(@k, %second)]
; LOOP: first:
; LOOP-NEXT: %a = phi i32 [ 1, %entry ], [ 2, %second ]
; LOOP: sqtt.lanes:
; LOOP-NEXT: %sqtt.round = phi i32 [ 0, %sqtt.trace ], [ %{{.*}}, %sqtt.lanes ]

target triple = "amdgcn-amd-amdhsa"
@table = internal addrspace(4) constant [2 x ptr] [ptr blockaddress(@k, %first), ptr blockaddress(@k, %second)]
declare void @llvm.amdgcn.s.ttracedata.imm(i16)
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) #0 {
entry:
  %at = getelementptr ptr, ptr addrspace(4) @table, i32 %n
  %to = load ptr, ptr addrspace(4) %at
  indirectbr ptr %to, [label %first, label %second]
first:
  %a = phi i32 [ 1, %entry ], [ 2, %second ]
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  store i32 %a, ptr addrspace(1) %p
  call void @llvm.amdgcn.s.ttracedata.imm(i16 8)
  switch i32 %n, label %done [
    i32 7, label %second
  ]
second:
  br label %first
done:
  %d = phi i32 [ %a, %first ]
  store i32 %d, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
