; The early phase marks every device function that is large enough by itself: enter behind the allocas, exit before every
; return. Small ones and kernels get nothing. The function knows its entry, the ledger its size before optimization.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %early %s | %FileCheck %s %only

; CHECK-LABEL: define i32 @two_returns(
; CHECK-SAME: !sqtt.func.id ![[ID:[0-9]+]]
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: call void @llvm.amdgcn.s.ttracedata(i32 ptrtoint (ptr addrspace(6) @sqtt.marker.0.enter to i32)) #[[MARKER:[0-9]+]]
; CHECK-NEXT: %c = icmp
; CHECK: yes:
; CHECK-NEXT: call void @llvm.amdgcn.s.ttracedata(i32 ptrtoint (ptr addrspace(6) @sqtt.marker.0.exit to i32)) #[[MARKER]]
; CHECK-NEXT: ret i32 1
; CHECK: no:
; CHECK-NEXT: call void @llvm.amdgcn.s.ttracedata(i32 ptrtoint (ptr addrspace(6) @sqtt.marker.0.exit to i32)) #[[MARKER]]
; CHECK-NEXT: ret i32 2
; CHECK-LABEL: define i32 @small(
; CHECK-NOT: sqtt
; CHECK-LABEL: define amdgpu_kernel void @kernel(
; CHECK-NOT: sqtt.marker
; CHECK: attributes #[[MARKER]] = { convergent nomerge nounwind "call-inline-cost"="0" "sqtt.marker"="header" }
; CHECK: !sqtt.markers.early = !{![[ROW:[0-9]+]]}
; CHECK: ![[ROW]] = !{!"function", !"two_returns", !"", i32 4, i32 0, i32 0}
; CHECK: ![[ID]] = !{i32 0}

target triple = "amdgcn-amd-amdhsa"
define i32 @two_returns(i32 %n) #0 {
  %a = alloca i32, addrspace(5)
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 2
}
define i32 @small(i32 %n) #0 {
  ret i32 %n
}
define amdgpu_kernel void @kernel(ptr addrspace(1) %p) #0 {
  %v = call i32 @two_returns(i32 3)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
