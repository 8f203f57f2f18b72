//! The common part of memory instructions: spaces, lanes' addresses, and the operation at each of them.

use sqtt_decoder::memory::{LdsAccess, LdsKind, bank_cycles};
use sqtt_format::WaveSize;

use super::words;
use crate::env::{Env, PRIVATE_APERTURE, SHARED_APERTURE};
use crate::error::Fault;
use crate::inst::{Inst, Kind, Res, Src, sreg};
use crate::memory::op::{Ext, MemOp};
use crate::result::{Access, AccessKind};
use crate::target::Target;
use crate::wave::Wave;

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
    if let Some(target) = e.lds_conflicts {
        count_conflicts(w, target, i.mem, space, lanes);
    }
    let fault = |(l, reason): words::Refusal| Fault::Access {
        kind: kind.as_str(),
        address: lanes.address[l],
        width,
        lane: Some(l as u32),
        reason,
    };
    if words::whole(w, e, i.mem, space, lanes, (dst, data)).map_err(fault)? {
        return Ok(());
    }
    for l in active(lanes.active) {
        one(w, e, i, space, l, lanes.address[l], dst, data, compare).map_err(|reason| fault((l, reason)))?;
    }
    Ok(())
}

/// Loads into LDS: lane `l` writes its word or words at M0 plus the instruction's offset plus `l` times their size.
/// Lanes that are `outside` of a buffer write zeros. `imm1` tells gfx950, whose LDS is larger.
pub(super) fn to_lds(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    space: Space,
    lanes: &Lanes,
    outside: u64,
) -> Res {
    let m0 = w.s[usize::from(sreg::M0)];
    if i.imm1 != 0 && m0 >> 16 & 3 != 0 {
        return Err(Fault::unknown("it is not documented if M0 reaches the LDS above 64 KiB"));
    }
    let bytes = i.mem.bytes().max(4) as u8;
    let loaded = Src::new(Kind::V, w.temp as u16, bytes / 4);
    for k in 0..usize::from(loaded.n) {
        w.v[w.temp + k].fill(0);
    }
    access(w, e, i, space, lanes, &loaded, &Src::NONE, None)?;
    let first = u64::from(m0 & 0xffff).wrapping_add_signed(i.imm);
    let mut to = Lanes::new(lanes.active | outside);
    for (l, address) in to.address.iter_mut().enumerate() {
        *address = first + l as u64 * u64::from(bytes);
    }
    let store = Inst { mem: MemOp::Store { bytes, high: false }, ..i.clone() };
    access(w, e, &store, Space::Lds, &to, &Src::NONE, &loaded, None)
}

/// Counts the cycles that LDS needs for an access beyond those without conflicts.
fn count_conflicts(w: &mut Wave, target: Target, op: MemOp, space: Space, lanes: &Lanes) {
    let kind = match op {
        MemOp::None => return,
        MemOp::Load { .. } => LdsKind::Read,
        MemOp::Store { .. } => LdsKind::Write,
        MemOp::Atomic { .. } => LdsKind::Atomic,
    };
    let asked: Vec<(u32, u64)> = active(lanes.active)
        .map(|l| (l, resolve(space, lanes.address[l])))
        .filter(|(_, (space, _))| *space == Space::Lds)
        .map(|(l, (_, address))| (l as u32, address))
        .collect();
    if !asked.is_empty() {
        let wave = if w.n == 64 { WaveSize::Wave64 } else { WaveSize::Wave32 };
        let access = LdsAccess::of(Some(target.name()), wave, kind, op.bytes(), None);
        let cycles = bank_cycles(&asked, &access, |_| {});
        w.counts.add_lds_conflicts(cycles.cycles - cycles.minimum);
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
pub(super) fn resolve(space: Space, address: u64) -> (Space, u64) {
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
    end.map(|end| start..end).ok_or_else(|| lds_error(e.lds.len()))
}

pub(super) fn lds_error(bytes: usize) -> String {
    format!("outside the workgroup's {bytes} bytes of LDS")
}

pub(super) fn scratch_error(bytes: u64) -> String {
    format!("outside the {bytes} bytes of scratch of a lane")
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
                let index = w.scratch_index(at, l).ok_or_else(|| scratch_error(w.scratch_bytes()))?;
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
                let index = w.scratch_index(at, l).ok_or_else(|| scratch_error(w.scratch_bytes()))?;
                let shift = 8 * (at & 3);
                w.scratch[index] = w.scratch[index] & !(0xff << shift) | u32::from(byte) << shift;
            }
        }
        (_, at) => e.mem.write(at, bytes)?,
    }
    Ok(())
}
