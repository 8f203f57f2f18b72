; A flat pointer counts as what it is made of: LDS as LDS, private memory and constants not at all. Of several origins, or of
; one that cannot be seen, it is flat.
; RUN: env SQTT_TRACE_ADDRESSES=memory,lds %late %s -o %t.ll
; RUN: %FileCheck %s --input-file=%t.ll --check-prefix=MAP
; RUN: %FileCheck %s --input-file=%t.ll
; RUN: env SQTT_TRACE_ADDRESSES=lds %late %s | %FileCheck %s --check-prefix=LDS
; RUN: env SQTT_TRACE_ADDRESSES=memory %late %s | %FileCheck %s --check-prefix=MEMORY

; MAP: P:1:addr_trace_lds_load\0AR:1:extra_payload_count=34\0AP:2:addr_trace_lds_store\0AR:2:extra_payload_count=34\0A
; MAP-SAME: P:3:addr_trace_load\0AR:3:extra_payload_count=66\0AP:4:addr_trace_load\0AR:4:extra_payload_count=66\0AP:5:addr_trace_store\0A
; MAP-SAME: P:6:addr_trace_load\0AR:6:extra_payload_count=66\0AP:7:addr_trace_load\0AR:7:extra_payload_count=66\0A\00
; LDS: P:1:addr_trace_lds_load\0A{{.*}}P:2:addr_trace_lds_store\0AR:2:extra_payload_count=34\0A\00
; MEMORY: P:1:addr_trace_load\0A{{.*}}P:5:addr_trace_load\0AR:5:extra_payload_count=66\0A\00

; The low half of the flat pointer is the address in LDS.
; CHECK-LABEL: define amdgpu_kernel void @shared(
; CHECK: %[[A:.*]] = ptrtoint ptr %{{.*}} to i64
; CHECK-NEXT: %[[T:.*]] = trunc i64 %[[A]] to i32
; CHECK-NEXT: %[[L:.*]] = call i32 asm sideeffect "", "=v,0"(i32 %[[T]])
; CHECK: call i32 @llvm.amdgcn.readlane.i32(i32 %[[L]],
; CHECK-NOT: lshr
; CHECK: load i32, ptr

target triple = "amdgcn-amd-amdhsa"
@lds = internal addrspace(3) global [64 x i32] poison
@constant = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define amdgpu_kernel void @shared(i32 %i, i1 %c) #0 {
  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @lds to ptr), i32 %i
  %a = load i32, ptr %p
  %q = select i1 %c, ptr %p, ptr addrspacecast (ptr addrspace(3) @lds to ptr)
  store i32 %a, ptr %q
  ret void
}
define amdgpu_kernel void @private(i32 %i, i1 %c) #0 {
  %x = alloca [4 x i32], addrspace(5)
  %f = addrspacecast ptr addrspace(5) %x to ptr
  %p = getelementptr i32, ptr %f, i32 %i
  store i32 %i, ptr %p
  %y = alloca i32, addrspace(5)
  %g = addrspacecast ptr addrspace(5) %y to ptr
  br i1 %c, label %yes, label %no
yes:
  br label %no
no:
  %m = phi ptr [ %p, %0 ], [ %g, %yes ]
  %a = load i32, ptr %m
  ret void
}
define amdgpu_kernel void @constants(i32 %i) #0 {
  %p = getelementptr i32, ptr addrspacecast (ptr addrspace(4) @constant to ptr), i32 %i
  %a = load i32, ptr %p
  ret void
}
define amdgpu_kernel void @mixed(ptr addrspace(1) %g, i1 %c) #0 {
  %f = addrspacecast ptr addrspace(1) %g to ptr
  %p = select i1 %c, ptr %f, ptr addrspacecast (ptr addrspace(3) @lds to ptr)
  %a = load i32, ptr %p
  ret void
}
define amdgpu_kernel void @unseen(ptr %p) #0 {
  %a = load i32, ptr %p
  store i32 %a, ptr %p
  %i = ptrtoint ptr %p to i64
  %q = inttoptr i64 %i to ptr
  %b = load i32, ptr %q
  ret void
}
define amdgpu_kernel void @global(ptr addrspace(1) %g) #0 {
  %f = addrspacecast ptr addrspace(1) %g to ptr
  %a = load i32, ptr %f
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
