; Nobody's functions get no markers: those of this project's header, of HIP's headers, the standard and the device library.
; The user's do, whatever they are called.
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %late %s | %FileCheck %s
; RUN: env SQTT_INSTRUMENT_FUNCTIONS=1 %phases %s | %FileCheck %s

; CHECK: c"F:1:_Z4norm15HIP_vector_typeIfLj3EE\0AF:2:_ZL3minP4Tilei\0AF:3:_ZN4Tile13__syncthreadsEv\0AF:4:sqttish\0AF:5:_ZplRK4TileS1_\0A\00"

target triple = "amdgcn-amd-amdhsa"
define void @_ZN11sqtt_detail6recordEj(ptr addrspace(1) %p) #0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define void @_ZN10sqtt_scopeD2Ev(ptr addrspace(1) %p) #0 {
  store i32 2, ptr addrspace(1) %p
  ret void
}
define void @_Z17sqtt_marker_enterIiEN11sqtt_detail9if_numberIT_E4typeES2_(ptr addrspace(1) %p) #0 {
  store i32 3, ptr addrspace(1) %p
  ret void
}
define internal void @_ZL16sqtt_marker_exitv(ptr addrspace(1) %p) #0 {
  store i32 4, ptr addrspace(1) %p
  ret void
}
define void @sqtt_marker_exit_numeric(ptr addrspace(1) %p) #0 {
  store i32 5, ptr addrspace(1) %p
  ret void
}
define void @__ocmlpriv_trigred_f32(ptr addrspace(1) %p) #0 {
  store i32 6, ptr addrspace(1) %p
  ret void
}
define void @__atomic_work_item_fence(ptr addrspace(1) %p) #0 {
  store i32 7, ptr addrspace(1) %p
  ret void
}
define void @_Z13__syncthreadsv(ptr addrspace(1) %p) #0 {
  store i32 8, ptr addrspace(1) %p
  ret void
}
define void @_ZN25__hip_builtin_threadIdx_t7__get_xEv(ptr addrspace(1) %p) #0 {
  store i32 9, ptr addrspace(1) %p
  ret void
}
define void @_ZNK18cooperative_groups12thread_group4syncEv(ptr addrspace(1) %p) #0 {
  store i32 10, ptr addrspace(1) %p
  ret void
}
define void @_ZN15HIP_vector_typeIfLj4EEpLERKS0_(ptr addrspace(1) %p) #0 {
  store i32 11, ptr addrspace(1) %p
  ret void
}
define void @_ZplIfLj4EE15HIP_vector_typeIT_XT0_EERKS2_S4_(ptr addrspace(1) %p) #0 {
  store i32 12, ptr addrspace(1) %p
  ret void
}
define void @_Z9atomicAddPff(ptr addrspace(1) %p) #0 {
  store i32 13, ptr addrspace(1) %p
  ret void
}
define internal void @_ZL4sinff(ptr addrspace(1) %p) #0 {
  store i32 14, ptr addrspace(1) %p
  ret void
}
define void @_ZN12_GLOBAL__N_14hsinE6__half(ptr addrspace(1) %p) #0 {
  store i32 15, ptr addrspace(1) %p
  ret void
}
define void @_ZSt3maxIiERKT_S2_S2_(ptr addrspace(1) %p) #0 {
  store i32 16, ptr addrspace(1) %p
  ret void
}
define internal void @_ZL5tex2DIhTnPNSt9enable_ifIXsr30__hip_is_tex_surf_channel_typeIT_EE5valueEvE4typeELPv0EEES1_P13__hip_textureff(ptr addrspace(1) %p) #0 {
  store i32 17, ptr addrspace(1) %p
  ret void
}
define void @_Z4norm15HIP_vector_typeIfLj3EE(ptr addrspace(1) %p) #0 {
  store i32 18, ptr addrspace(1) %p
  ret void
}
define internal void @_ZL3minP4Tilei(ptr addrspace(1) %p) #0 {
  store i32 19, ptr addrspace(1) %p
  ret void
}
define void @_ZN4Tile13__syncthreadsEv(ptr addrspace(1) %p) #0 {
  store i32 20, ptr addrspace(1) %p
  ret void
}
define void @sqttish(ptr addrspace(1) %p) #0 {
  store i32 21, ptr addrspace(1) %p
  ret void
}
define void @_ZplRK4TileS1_(ptr addrspace(1) %p) #0 {
  store i32 22, ptr addrspace(1) %p
  ret void
}
define void @malloc(ptr addrspace(1) %p) #0 {
  store i32 23, ptr addrspace(1) %p
  ret void
}
define void @free(ptr addrspace(1) %p) #0 {
  store i32 24, ptr addrspace(1) %p
  ret void
}
@kept = global [2 x ptr] [ptr @_ZL3minP4Tilei, ptr @_ZL16sqtt_marker_exitv]
@more = global [2 x ptr] [ptr @_ZL4sinff, ptr @_ZL5tex2DIhTnPNSt9enable_ifIXsr30__hip_is_tex_surf_channel_typeIT_EE5valueEvE4typeELPv0EEES1_P13__hip_textureff]
attributes #0 = { "target-cpu"="gfx1100" }
