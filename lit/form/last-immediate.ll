; Id 63 is the last whose words fit the immediate form; id 64 goes through M0. Ids 1 to 62 are the user's own.
; RUN: %python -c "print(*('  call void @llvm.amdgcn.s.ttracedata.imm(i16 ' + str(4 * n) + ')' for n in range(1, 63)), sep='\n')" > %t.own
; RUN: sed '/^  ; OWN/r %t.own' %s > %t.ll
; RUN: %phases %t.ll | %FileCheck %s %only

; CHECK: U:63:a\0AU:64:b\0A\00"
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0xfe"
; CHECK: "s_mov_b32 m0, 0x102\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
; CHECK-COUNT-62: "s_ttracedata_imm 0x{{[0-9a-f]+[048c]|[48c]}}"
; CHECK-NEXT: sched.barrier
; CHECK-NEXT: ret void

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)

define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  ; OWN
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
