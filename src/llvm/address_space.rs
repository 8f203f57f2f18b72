//! LLVM's numbers of AMDGPU's address spaces.

pub(crate) const FLAT: u32 = 0;
pub(crate) const GLOBAL: u32 = 1;
pub(crate) const LDS: u32 = 3;
pub(crate) const BUFFER_FAT_POINTER: u32 = 7;
pub(crate) const BUFFER_RESOURCE: u32 = 8;
pub(crate) const BUFFER_STRIDED_POINTER: u32 = 9;
