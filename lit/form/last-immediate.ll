; Id 63 is the last whose words fit the immediate form; id 64 goes through M0.
; RUN: %phases %s | %FileCheck %s %only

; CHECK: U:63:a\0AU:64:b\0A\00"
; CHECK-LABEL: define amdgpu_kernel void @k(
; CHECK: "s_ttracedata_imm 0xfe"
; CHECK: "s_mov_b32 m0, 0x102\0A\09s_nop 3\0A\09s_ttracedata", "={m0}"()
; CHECK: "s_ttracedata_imm 0x4"
; CHECK: "s_ttracedata_imm 0x8"
; CHECK: "s_ttracedata_imm 0xc"
; CHECK: "s_ttracedata_imm 0x10"
; CHECK: "s_ttracedata_imm 0x14"
; CHECK: "s_ttracedata_imm 0x18"
; CHECK: "s_ttracedata_imm 0x1c"
; CHECK: "s_ttracedata_imm 0x20"
; CHECK: "s_ttracedata_imm 0x24"
; CHECK: "s_ttracedata_imm 0x28"
; CHECK: "s_ttracedata_imm 0x2c"
; CHECK: "s_ttracedata_imm 0x30"
; CHECK: "s_ttracedata_imm 0x34"
; CHECK: "s_ttracedata_imm 0x38"
; CHECK: "s_ttracedata_imm 0x3c"
; CHECK: "s_ttracedata_imm 0x40"
; CHECK: "s_ttracedata_imm 0x44"
; CHECK: "s_ttracedata_imm 0x48"
; CHECK: "s_ttracedata_imm 0x4c"
; CHECK: "s_ttracedata_imm 0x50"
; CHECK: "s_ttracedata_imm 0x54"
; CHECK: "s_ttracedata_imm 0x58"
; CHECK: "s_ttracedata_imm 0x5c"
; CHECK: "s_ttracedata_imm 0x60"
; CHECK: "s_ttracedata_imm 0x64"
; CHECK: "s_ttracedata_imm 0x68"
; CHECK: "s_ttracedata_imm 0x6c"
; CHECK: "s_ttracedata_imm 0x70"
; CHECK: "s_ttracedata_imm 0x74"
; CHECK: "s_ttracedata_imm 0x78"
; CHECK: "s_ttracedata_imm 0x7c"
; CHECK: "s_ttracedata_imm 0x80"
; CHECK: "s_ttracedata_imm 0x84"
; CHECK: "s_ttracedata_imm 0x88"
; CHECK: "s_ttracedata_imm 0x8c"
; CHECK: "s_ttracedata_imm 0x90"
; CHECK: "s_ttracedata_imm 0x94"
; CHECK: "s_ttracedata_imm 0x98"
; CHECK: "s_ttracedata_imm 0x9c"
; CHECK: "s_ttracedata_imm 0xa0"
; CHECK: "s_ttracedata_imm 0xa4"
; CHECK: "s_ttracedata_imm 0xa8"
; CHECK: "s_ttracedata_imm 0xac"
; CHECK: "s_ttracedata_imm 0xb0"
; CHECK: "s_ttracedata_imm 0xb4"
; CHECK: "s_ttracedata_imm 0xb8"
; CHECK: "s_ttracedata_imm 0xbc"
; CHECK: "s_ttracedata_imm 0xc0"
; CHECK: "s_ttracedata_imm 0xc4"
; CHECK: "s_ttracedata_imm 0xc8"
; CHECK: "s_ttracedata_imm 0xcc"
; CHECK: "s_ttracedata_imm 0xd0"
; CHECK: "s_ttracedata_imm 0xd4"
; CHECK: "s_ttracedata_imm 0xd8"
; CHECK: "s_ttracedata_imm 0xdc"
; CHECK: "s_ttracedata_imm 0xe0"
; CHECK: "s_ttracedata_imm 0xe4"
; CHECK: "s_ttracedata_imm 0xe8"
; CHECK: "s_ttracedata_imm 0xec"
; CHECK: "s_ttracedata_imm 0xf0"
; CHECK: "s_ttracedata_imm 0xf4"
; CHECK: "s_ttracedata_imm 0xf8"

target triple = "amdgcn-amd-amdhsa"
@a = private unnamed_addr addrspace(4) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(4) constant [2 x i8] c"b\00"
declare void @__sqtt_named_marker_enter(ptr)
declare void @__sqtt_named_marker_exit(ptr)
declare void @__sqtt_named_marker_point(ptr)
declare void @__sqtt_named_marker_data(ptr, i32)

define amdgpu_kernel void @k() #0 {
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @a to ptr))
  call void @__sqtt_named_marker_enter(ptr addrspacecast (ptr addrspace(4) @b to ptr))
  call void @llvm.amdgcn.s.ttracedata.imm(i16 4)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 8)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 12)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 16)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 20)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 24)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 28)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 32)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 36)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 40)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 44)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 48)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 52)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 56)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 60)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 64)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 68)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 72)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 76)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 80)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 84)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 88)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 92)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 96)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 100)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 104)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 108)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 112)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 116)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 120)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 124)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 128)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 132)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 136)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 140)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 144)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 148)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 152)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 156)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 160)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 164)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 168)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 172)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 176)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 180)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 184)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 188)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 192)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 196)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 200)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 204)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 208)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 212)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 216)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 220)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 224)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 228)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 232)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 236)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 240)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 244)
  call void @llvm.amdgcn.s.ttracedata.imm(i16 248)
  ret void
}
attributes #0 = { "target-cpu"="gfx1100" }
