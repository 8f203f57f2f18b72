//! Buffer instructions: raw and structured descriptors with bounds checks, and the swizzled scratch
//! descriptor of gfx90a and gfx1030.

use super::{Class, Def, def};
use crate::decode::memory::operation;
use crate::env::{Env, SCRATCH_BASE};
use crate::error::Fault;
use crate::image::{TexelBuffer, TexelFormat};
use crate::inst::{Inst, Kind, Res, Src, flag};
use crate::lanes::rd;
use crate::memory::op::{Ext, MemOp};
use crate::result::AccessKind;
use crate::target::Target;
use crate::wave::{Wave, ZERO};

use super::access::{Lanes, Space, access, active, log, to_lds};
use super::texel::{pack, select, unpack};

/// The fields of a buffer resource that matter here.
#[derive(Debug, Clone, Copy)]
pub(super) struct BufferDescriptor {
    pub(super) base: u64,
    stride: u64,
    records: u64,
    /// Addresses are swizzled by lane: a scratch descriptor.
    add_tid: bool,
    swizzle: bool,
    /// gfx10 and later: which bounds check.
    select: u32,
    /// The word that has the format of texels.
    last: u32,
}

impl BufferDescriptor {
    pub(super) fn read(w: &Wave, s: &Src) -> BufferDescriptor {
        let word = |k: u16| if s.kind == Kind::S { w.s[s.reg as usize + k as usize] } else { 0 };
        BufferDescriptor {
            base: u64::from(word(0)) | u64::from(word(1) & 0xffff) << 32,
            stride: u64::from(word(1) >> 16 & 0x3fff),
            records: u64::from(word(2)),
            add_tid: word(3) >> 23 & 1 != 0,
            swizzle: word(1) >> 30 != 0,
            select: if w.generation >= 10 { word(3) >> 28 & 3 } else { 0 },
            last: word(3),
        }
    }

    /// Bytes that scalar loads may read.
    pub(super) fn bytes(&self) -> u64 {
        if self.stride == 0 { self.records } else { self.records * self.stride }
    }

    /// True where an access lies outside the buffer.
    fn outside(&self, index: u64, offset: u64, width: u64, generation: u8) -> bool {
        let end = offset + width;
        match (self.stride, generation, self.select) {
            (_, 10.., 3) => end > self.records,
            (_, 10.., 2) => self.records == 0,
            (_, 10.., 1) => index >= self.records,
            (0, ..) => end > self.records,
            (stride, 10.., _) => index >= self.records || end > stride,
            _ => index >= self.records,
        }
    }
}

/// `buffer_load_*`, `buffer_store_*`, `buffer_atomic_*`
pub(super) fn family(name: &str, inst: &mut Inst) -> Option<Def> {
    let rest = name.strip_prefix("buffer_")?;
    inst.mem = match rest.split_once("_format_") {
        Some((kind, channels)) if "xyzw".starts_with(channels) && !channels.is_empty() => {
            inst.flags |= flag::FORMAT;
            let bytes = 4 * channels.len() as u8;
            match kind {
                "load" => MemOp::Load { bytes, ext: Ext::None },
                "store" => MemOp::Store { bytes, high: false },
                _ => return None,
            }
        }
        _ => operation(rest)?,
    };
    Some(Def { fix: Some(shape), ..def(Class::Vmem, run) })
}

/// `data, vaddr, srsrc, soffset` → result, address, data, descriptor, scalar offset.
fn shape(i: &mut Inst, target: Target) -> Option<()> {
    let o = i.ops;
    if i.has(flag::FORMAT) && (i.has(flag::LDS) || target.generation() == 9) {
        return None;
    }
    if i.has(flag::LDS) {
        i.imm1 = i64::from(target == Target::Gfx950);
        i.ops = [Src::NONE, o[0], Src::NONE, o[1], o[2], Src::NONE];
        let plain = matches!(i.mem, MemOp::Load { ext: Ext::None | Ext::Zero | Ext::Sign, .. });
        return (i.nops == 3 && plain).then_some(());
    }
    if i.nops != 4 {
        return None;
    }
    let (dst, data) = match i.mem {
        MemOp::Load { .. } => (o[0], Src::NONE),
        MemOp::Store { .. } => (Src::NONE, o[0]),
        _ if i.has(flag::RETURN) => (o[0], o[0]),
        _ => (Src::NONE, o[0]),
    };
    i.ops = [dst, o[1], data, o[2], o[3], Src::NONE];
    Some(())
}

fn run(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let d = BufferDescriptor::read(w, &i.ops[3]);
    let soffset = u64::from(w.s32(&i.ops[4]));
    let mut offset = [0u32; 64];
    let mut index = [0u32; 64];
    let vaddr = i.ops[1];
    match (i.has(flag::IDXEN), i.has(flag::OFFEN)) {
        (true, true) => {
            index = vector_offset(w, &vaddr);
            offset = vector_offset(w, &Src { reg: vaddr.reg + 1, ..vaddr });
        }
        (true, false) => index = vector_offset(w, &vaddr),
        (false, true) => offset = vector_offset(w, &vaddr),
        _ => {}
    }
    let mut lanes = Lanes::new(w.exec());
    if d.add_tid && i.has(flag::LDS) {
        return Err(Fault::unknown("loads of scratch into LDS are not simulated"));
    }
    if d.add_tid {
        return scratch(w, e, i, &d, soffset, &offset);
    }
    if d.swizzle {
        return Err(Fault::unknown("swizzled buffers are not simulated"));
    }
    let texel = if i.has(flag::FORMAT) {
        let texel = TexelBuffer::format(d.last, w.generation);
        Some(texel.ok_or_else(|| Fault::unknown("this format is not simulated"))?)
    } else {
        None
    };
    let width = u64::from(texel.map_or(i.mem.bytes(), |(format, _)| format.bytes()));
    let mut inside = 0u64;
    for l in active(lanes.active) {
        let within = u64::from(offset[l]) + i.imm.cast_unsigned() + if d.stride == 0 { soffset } else { 0 };
        let at = within + if d.stride == 0 { 0 } else { soffset } + u64::from(index[l]) * d.stride;
        lanes.address[l] = d.base.wrapping_add(at);
        let out = d.outside(u64::from(index[l]), within, width, w.generation);
        inside |= u64::from(!out) << l;
    }
    // Out of range: loads and returning atomics give zero, stores do nothing.
    let outside = lanes.active & !inside;
    if i.ops[0].is_v() {
        for l in active(outside) {
            for k in 0..(i.mem.bytes() as usize).div_ceil(4) {
                w.v[i.ops[0].reg as usize + k][l] = 0;
            }
        }
    }
    lanes.active = inside;
    if i.has(flag::LDS) {
        return to_lds(w, e, i, Space::Buffer, &lanes, outside);
    }
    if let Some(texel) = texel {
        return texels(w, e, i, &lanes, texel);
    }
    access(w, e, i, Space::Buffer, &lanes, &i.ops[0], &i.ops[2], None)
}

/// Converts texels.
fn texels(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    lanes: &Lanes,
    (format, selects): (TexelFormat, u32),
) -> Res {
    let width = format.bytes();
    let (kind, is_load) = match i.mem {
        MemOp::Load { .. } => (AccessKind::BufferLoad, true),
        _ => (AccessKind::BufferStore, false),
    };
    log(w, e, i, kind, width, lanes);
    let count = i.mem.bytes() as usize / 4;
    for l in active(lanes.active) {
        let address = lanes.address[l];
        let fault =
            |reason| Fault::Access { kind: kind.as_str(), address, width, lane: Some(l as u32), reason };
        let mut bytes = [0; 16];
        if is_load {
            e.mem.read(address, &mut bytes[..width as usize]).map_err(fault)?;
            let words = select(format, selects, unpack(format, &bytes));
            for (k, &word) in words.iter().enumerate().take(count) {
                w.v[i.ops[0].reg as usize + k][l] = word;
            }
        } else {
            // Channels that are not named are zero, and the first one on gfx12.
            let row = |k: usize| w.v[i.ops[2].reg as usize + k][l];
            let missing = if w.generation >= 12 { row(0) } else { 0 };
            bytes = pack(format, std::array::from_fn(|k| if k < count { row(k) } else { missing }));
            e.mem.write(address, &bytes[..width as usize]).map_err(fault)?;
        }
    }
    Ok(())
}

/// The scalar part (base and scalar offset) counts bytes of the whole wave, the vector part bytes of a lane.
fn scratch(
    w: &mut Wave,
    e: &mut Env<'_>,
    i: &Inst,
    d: &BufferDescriptor,
    soffset: u64,
    offset: &[u32; 64],
) -> Res {
    let own = SCRATCH_BASE + wave_offset(w);
    let linear = d.base.wrapping_add(soffset).wrapping_sub(own) as i64;
    let row = linear.div_euclid(w.n as i64);
    let mut lanes = Lanes::new(w.exec());
    for l in active(lanes.active) {
        let at = row + i64::from(offset[l]) + i.imm;
        lanes.address[l] = at.cast_unsigned();
    }
    access(w, e, i, Space::BufferScratch, &lanes, &i.ops[0], &i.ops[2], None)
}

/// The begin of a wave's scratch within its workgroup's: the value of its wave-offset SGPR.
pub(crate) fn wave_offset(w: &Wave) -> u64 {
    u64::from(w.index) * w.scratch.len() as u64 * 4
}

/// A row of offsets or indices.
fn vector_offset(w: &Wave, s: &Src) -> [u32; 64] {
    let mut buf = ZERO;
    *rd(w, s, &mut buf)
}
