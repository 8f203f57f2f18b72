; Splitting the entry block leaves its allocas in it: pushed out they would be dynamic stack.
; RUN: env SQTT_SCOPE_CU=1 %late %s | %FileCheck %s

; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK-NEXT: %first = alloca i32, align 4, addrspace(5)
; CHECK-NEXT: %second = alloca i64, align 8, addrspace(5)
; CHECK-NEXT: call i32 @llvm.amdgcn.s.getreg(
; CHECK-NOT: alloca

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
declare void @__sqtt_named_marker_point(ptr)
define amdgpu_kernel void @k() #0 {
  %first = alloca i32, align 4, addrspace(5)
  call void @__sqtt_named_marker_point(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  %second = alloca i64, align 8, addrspace(5)
  store i32 0, ptr addrspace(5) %first
  store i64 0, ptr addrspace(5) %second
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
