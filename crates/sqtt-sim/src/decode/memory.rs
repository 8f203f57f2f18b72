//! Names of memory operations → [`MemOp`], shared by LDS, global, flat, scratch and buffer instructions.

use crate::memory::op::{Ext, MemOp};
use crate::ops::atomic;

const fn load(bytes: u8, ext: Ext) -> MemOp {
    MemOp::Load { bytes, ext }
}

const fn store(bytes: u8, high: bool) -> MemOp {
    MemOp::Store { bytes, high }
}

const D16: Ext = Ext::D16Lo { signed: false };
const D16S: Ext = Ext::D16Lo { signed: true };
const D16_HI: Ext = Ext::D16Hi { signed: false };
const D16_HIS: Ext = Ext::D16Hi { signed: true };

/// Loads and stores by the name without its prefix (`global_`, `ds_`, …): old and new spellings.
const PLAIN: &[(&str, MemOp)] = &[
    ("load_ubyte read_u8 load_u8", load(1, Ext::Zero)),
    ("load_sbyte read_i8 load_i8", load(1, Ext::Sign)),
    ("load_ushort read_u16 load_u16", load(2, Ext::Zero)),
    ("load_sshort read_i16 load_i16", load(2, Ext::Sign)),
    ("load_dword read_b32 load_b32", load(4, Ext::None)),
    ("load_dwordx2 read_b64 load_b64", load(8, Ext::None)),
    ("load_dwordx3 read_b96 load_b96", load(12, Ext::None)),
    ("load_dwordx4 read_b128 load_b128", load(16, Ext::None)),
    ("load_ubyte_d16 read_u8_d16 load_d16_u8 load_u8_d16", load(1, D16)),
    ("load_sbyte_d16 read_i8_d16 load_d16_i8 load_i8_d16", load(1, D16S)),
    ("load_short_d16 read_u16_d16 load_d16_b16 load_u16_d16", load(2, D16)),
    ("load_ubyte_d16_hi read_u8_d16_hi load_d16_hi_u8 load_u8_d16_hi", load(1, D16_HI)),
    ("load_sbyte_d16_hi read_i8_d16_hi load_d16_hi_i8 load_i8_d16_hi", load(1, D16_HIS)),
    ("load_short_d16_hi read_u16_d16_hi load_d16_hi_b16 load_u16_d16_hi", load(2, D16_HI)),
    ("store_byte write_b8 store_b8", store(1, false)),
    ("store_short write_b16 store_b16", store(2, false)),
    ("store_dword write_b32 store_b32", store(4, false)),
    ("store_dwordx2 write_b64 store_b64", store(8, false)),
    ("store_dwordx3 write_b96 store_b96", store(12, false)),
    ("store_dwordx4 write_b128 store_b128", store(16, false)),
    ("store_byte_d16_hi write_b8_d16_hi store_d16_hi_b8 store_b8_d16_hi", store(1, true)),
    ("store_short_d16_hi write_b16_d16_hi store_d16_hi_b16 store_b16_d16_hi", store(2, true)),
];

/// Looks an operation up by its name without prefix.
pub(crate) fn operation(name: &str) -> Option<MemOp> {
    let plain = PLAIN.iter().find(|(names, _)| names.split(' ').any(|n| n == name)).map(|&(_, op)| op);
    plain.or_else(|| atomic::operation(name))
}
