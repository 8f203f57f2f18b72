//! Vector memory through addresses: global, flat, scratch; and the access loop that all spaces share.

use super::{Class, Def, def};
use crate::decode::memory::operation;
use crate::env::{Env, PRIVATE_APERTURE, SHARED_APERTURE};
use crate::error::Fault;
use crate::inst::{Exec, Inst, Kind, Res, Src};
use crate::lanes::rd;
use crate::memory::op::{Ext, MemOp};
use crate::result::{Access, AccessKind};
use crate::target::Target;
use crate::wave::{Wave, ZERO};

/// The memory that addresses lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Global,
    /// By aperture: LDS, scratch or global.
    Flat,
    Scratch,
    Lds,
    /// Through a buffer descriptor.
    Buffer,
    /// Through a descriptor that swizzles by lane: addresses are scratch offsets.
    BufferScratch,
}

/// The addresses of a wave's active lanes.
pub(crate) struct Lanes {
    pub(crate) active: u64,
    pub(crate) address: [u64; 64],
}

impl Lanes {
    pub(crate) fn new(active: u64) -> Lanes {
        Lanes { active, address: [0; 64] }
    }
}

/// `global_*`, `flat_*`, `scratch_*`
pub(super) fn family(name: &str, inst: &mut Inst, _: Target) -> Option<Def> {
    let (rest, exec): (&str, Exec) = if let Some(rest) = name.strip_prefix("global_") {
        (rest, |w, e, i| {
            let lanes = addresses(w, i, false);
            access(w, e, i, Space::Global, &lanes, &i.ops[0], &i.ops[2], None)
        })
    } else if let Some(rest) = name.strip_prefix("flat_") {
        (rest, |w, e, i| {
            let lanes = addresses(w, i, false);
            access(w, e, i, Space::Flat, &lanes, &i.ops[0], &i.ops[2], None)
        })
    } else {
        (name.strip_prefix("scratch_")?, |w, e, i| {
            let lanes = addresses(w, i, true);
            access(w, e, i, Space::Scratch, &lanes, &i.ops[0], &i.ops[2], None)
        })
    };
    inst.mem = operation(rest)?;
    Some(Def { fix: Some(shape), ..def(Class::Vmem, exec) })
}

/// Brings operands into the order result, address, data, scalar address.
fn shape(i: &mut Inst, _: Target) -> Option<()> {
    if i.has(crate::inst::flag::LDS) {
        return None;
    }
    let none = Src::NONE;
    let o = i.ops;
    i.ops = match i.mem {
        MemOp::Load { .. } => [o[0], o[1], none, o[2], none, none],
        MemOp::Store { .. } => [none, o[0], o[1], o[2], none, none],
        MemOp::Atomic { .. } if i.has(crate::inst::flag::RETURN) => [o[0], o[1], o[2], o[3], none, none],
        MemOp::Atomic { .. } => [none, o[0], o[1], o[2], none, none],
        MemOp::None => return None,
    };
    Some(())
}

fn addresses(w: &Wave, i: &Inst, scratch: bool) -> Lanes {
    let mut lanes = Lanes::new(w.exec());
    let (vector, scalar) = (&i.ops[1], &i.ops[3]);
    let mut base = i.imm;
    if scalar.kind != Kind::None && scalar.reg != crate::inst::sreg::NULL {
        base =
            base.wrapping_add(if scratch { i64::from(w.s32(scalar)) } else { w.s64(scalar).cast_signed() });
    }
    match vector.kind {
        Kind::V if vector.n == 2 => {
            let (lo, hi) = (&w.v[vector.reg as usize], &w.v[vector.reg as usize + 1]);
            for l in 0..w.n {
                lanes.address[l] = (u64::from(lo[l]) | u64::from(hi[l]) << 32).wrapping_add_signed(base);
            }
        }
        Kind::V => {
            for (a, &v) in lanes.address[..w.n].iter_mut().zip(&w.v[vector.reg as usize]) {
                *a = u64::from(v).wrapping_add_signed(base);
            }
        }
        _ => lanes.address[..w.n].fill(base.cast_unsigned()),
    }
    if scratch {
        // Scratch addresses are 32-bit sums.
        lanes.address[..w.n].iter_mut().for_each(|a| *a &= 0xffff_ffff);
    }
    lanes
}

fn kind(space: Space, op: MemOp) -> AccessKind {
    use AccessKind as A;
    match (space, op) {
        (Space::Global, MemOp::Load { .. }) => A::GlobalLoad,
        (Space::Global, MemOp::Store { .. }) => A::GlobalStore,
        (Space::Global, _) => A::GlobalAtomic,
        (Space::Flat, MemOp::Load { .. }) => A::FlatLoad,
        (Space::Flat, MemOp::Store { .. }) => A::FlatStore,
        (Space::Flat, _) => A::FlatAtomic,
        (Space::Lds, MemOp::Load { .. }) => A::LdsLoad,
        (Space::Lds, MemOp::Store { .. }) => A::LdsStore,
        (Space::Lds, _) => A::LdsAtomic,
        (Space::Buffer, MemOp::Load { .. }) => A::BufferLoad,
        (Space::Buffer, MemOp::Store { .. }) => A::BufferStore,
        (Space::Buffer, _) => A::BufferAtomic,
        (_, MemOp::Load { .. }) => A::ScratchLoad,
        _ => A::ScratchStore,
    }
}

/// Records an access where the options ask for it.
pub(crate) fn log(w: &mut Wave, e: &Env<'_>, i: &Inst, kind: AccessKind, width: u32, lanes: &Lanes) {
    if e.log_accesses && lanes.active != 0 {
        let list = active(lanes.active).map(|l| (l as u32, lanes.address[l])).collect();
        w.accesses.push(Access { pc: i.pc, kind, after: w.markers.len(), width, lanes: list });
    }
}

/// Performs the instruction's operation for every active lane, in lane order.
#[expect(clippy::too_many_arguments, reason = "the parts of one memory instruction")]
pub(crate) fn access(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    space: Space,
    lanes: &Lanes,
    dst: &Src,
    data: &Src,
    compare: Option<&Src>,
) -> Res {
    let width = i.mem.bytes();
    let kind = kind(space, i.mem);
    log(w, e, i, kind, width, lanes);
    if lanes.active == w.full && whole_rows(w, e, i, space, lanes, dst, data) {
        return Ok(());
    }
    for l in active(lanes.active) {
        let address = lanes.address[l];
        one(w, e, i, space, l, address, dst, data, compare).map_err(|reason| Fault::Access {
            kind: kind.as_str(),
            address,
            width,
            lane: Some(l as u32),
            reason,
        })?;
    }
    Ok(())
}

/// Loads or stores for all lanes at once, where their words follow each other in global memory.
fn whole_rows(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    space: Space,
    lanes: &Lanes,
    dst: &Src,
    data: &Src,
) -> bool {
    if !matches!(resolve(space, lanes.address[0]), (Space::Global, _)) {
        return false;
    }
    match i.mem {
        MemOp::Load { bytes: n @ (4 | 8 | 12 | 16), .. } => {
            let (row, n) = (dst.reg as usize, n as usize / 4);
            e.mem.load_rows(&lanes.address, w.n, &mut w.v[row..row + n])
        }
        MemOp::Store { bytes: n @ (4 | 8 | 12 | 16), high: false } if data.is_v() && !data.half => {
            let (row, n) = (data.reg as usize, n as usize / 4);
            e.mem.store_rows(&lanes.address, w.n, &w.v[row..row + n])
        }
        _ => false,
    }
}

/// The set bits of a lane mask.
pub(crate) fn active(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}

#[expect(clippy::too_many_arguments, reason = "the parts of one lane's access")]
#[inline]
fn one(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    space: Space,
    l: usize,
    address: u64,
    dst: &Src,
    data: &Src,
    compare: Option<&Src>,
) -> Result<(), String> {
    let mut bytes = [0u8; 16];
    match i.mem {
        MemOp::Load { bytes: n, ext } => {
            read(w, e, space, l, address, &mut bytes[..n as usize])?;
            let word = |k: usize| u32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
            let d = dst.reg as usize;
            if n < 4 {
                let old = w.v[d][l];
                w.v[d][l] = extend(word(0), n, ext, old);
            } else {
                for k in 0..n as usize / 4 {
                    w.v[d + k][l] = word(4 * k);
                }
            }
            Ok(())
        }
        MemOp::Store { bytes: n, high } => {
            for k in 0..(n as usize).div_ceil(4) {
                let word = register(w, data, k, l) >> if high { 16 } else { 0 };
                bytes[4 * k..4 * k + 4].copy_from_slice(&word.to_le_bytes());
            }
            write(w, e, space, l, address, &bytes[..n as usize])
        }
        MemOp::Atomic { bytes: n, f, compare: compares, open } => {
            read(w, e, space, l, address, &mut bytes[..n as usize])?;
            let old = u64::from_le_bytes([
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
            ]);
            let words = n as usize / 4;
            let value = wide(w, data, 0, words, l);
            let against = match (compares, compare) {
                (false, _) => 0,
                (_, Some(c)) => wide(w, c, 0, words, l),
                // Global compare-and-swap takes both from one register tuple: new value, then compared.
                (_, None) => wide(w, data, words, words, l),
            };
            if open && super::atomic::unsettled(old, value, n) {
                return Err("least or largest of a NaN or of zeros of both signs: not simulated".to_owned());
            }
            let new = f(old, value, against);
            write(w, e, space, l, address, &new.to_le_bytes()[..n as usize])?;
            if dst.is_v() {
                for k in 0..words {
                    w.v[dst.reg as usize + k][l] = (old >> (32 * k)) as u32;
                }
            }
            Ok(())
        }
        MemOp::None => Ok(()),
    }
}

fn register(w: &Wave, s: &Src, k: usize, l: usize) -> u32 {
    let word = if s.is_v() { w.v[s.reg as usize + k][l] } else { w.s32(s) };
    if s.half && s.hi { word >> 16 } else { word }
}

fn wide(w: &Wave, s: &Src, first: usize, words: usize, l: usize) -> u64 {
    (0..words).fold(0, |v, k| v | u64::from(register(w, s, first + k, l)) << (32 * k))
}

fn extend(word: u32, n: u8, ext: Ext, old: u32) -> u32 {
    let (zero, sign) = if n == 1 {
        (word & 0xff, i32::from(word as u8 as i8).cast_unsigned())
    } else {
        (word & 0xffff, i32::from(word as u16 as i16).cast_unsigned())
    };
    let pick = |signed| if signed { sign & 0xffff } else { zero };
    match ext {
        Ext::None | Ext::Zero => zero,
        Ext::Sign => sign,
        Ext::D16Lo { signed } => old & 0xffff_0000 | pick(signed),
        Ext::D16Hi { signed } => old & 0xffff | pick(signed) << 16,
    }
}

/// The space that an address really leads to, and the address there.
fn resolve(space: Space, address: u64) -> (Space, u64) {
    match space {
        Space::Flat if address >> 32 == SHARED_APERTURE >> 32 => (Space::Lds, address & 0xffff_ffff),
        Space::Flat if address >> 32 == PRIVATE_APERTURE >> 32 => (Space::Scratch, address & 0xffff_ffff),
        Space::Flat | Space::Buffer => (Space::Global, address),
        Space::BufferScratch => (Space::Scratch, address),
        other => (other, address),
    }
}

fn lds_range(e: &Env<'_>, address: u64, len: usize) -> Result<std::ops::Range<usize>, String> {
    let start = usize::try_from(address).map_err(|e| e.to_string())?;
    let end = start.checked_add(len).filter(|&end| end <= e.lds.len());
    end.map(|end| start..end).ok_or_else(|| format!("outside the workgroup's {} bytes of LDS", e.lds.len()))
}

fn scratch_error(w: &Wave) -> String {
    format!("outside the {} bytes of scratch of a lane", w.scratch_bytes())
}

fn read(
    w: &mut Wave,
    e: &mut Env<'_>,
    space: Space,
    l: usize,
    address: u64,
    out: &mut [u8],
) -> Result<(), String> {
    match resolve(space, address) {
        (Space::Lds, at) => {
            let range = lds_range(e, at, out.len())?;
            out.copy_from_slice(&e.lds[range]);
        }
        (Space::Scratch, at) => {
            for (k, byte) in out.iter_mut().enumerate() {
                let at = at + k as u64;
                let index = w.scratch_index(at, l).ok_or_else(|| scratch_error(w))?;
                *byte = (w.scratch[index] >> (8 * (at & 3))) as u8;
            }
        }
        (_, at) => e.mem.read(at, out)?,
    }
    Ok(())
}

fn write(
    w: &mut Wave,
    e: &mut Env<'_>,
    space: Space,
    l: usize,
    address: u64,
    bytes: &[u8],
) -> Result<(), String> {
    match resolve(space, address) {
        (Space::Lds, at) => {
            let range = lds_range(e, at, bytes.len())?;
            e.lds[range].copy_from_slice(bytes);
        }
        (Space::Scratch, at) => {
            for (k, &byte) in bytes.iter().enumerate() {
                let at = at + k as u64;
                let index = w.scratch_index(at, l).ok_or_else(|| scratch_error(w))?;
                let shift = 8 * (at & 3);
                w.scratch[index] = w.scratch[index] & !(0xff << shift) | u32::from(byte) << shift;
            }
        }
        (_, at) => e.mem.write(at, bytes)?,
    }
    Ok(())
}

/// A row of data as it is read by a store; kept here for the buffer instructions.
pub(crate) fn vector_offset(w: &Wave, s: &Src) -> [u32; 64] {
    let mut buf = ZERO;
    *rd(w, s, &mut buf)
}
