//! Scalar loads.

use super::{Class, Def, Table, def};
use crate::env::Env;
use crate::error::Fault;
use crate::inst::{Inst, Kind, Res, Src, sreg};
use crate::memory::op::{Ext, MemOp};
use crate::result::{Access, AccessKind};
use crate::wave::Wave;

pub(super) const TABLE: Table = &[];

fn width(suffix: &str) -> Option<MemOp> {
    let load = |bytes, ext| Some(MemOp::Load { bytes, ext });
    match suffix {
        "dword" | "b32" => load(4, Ext::None),
        "dwordx2" | "b64" => load(8, Ext::None),
        "b96" => load(12, Ext::None),
        "dwordx4" | "b128" => load(16, Ext::None),
        "dwordx8" | "b256" => load(32, Ext::None),
        "dwordx16" | "b512" => load(64, Ext::None),
        "u8" => load(1, Ext::Zero),
        "i8" => load(1, Ext::Sign),
        "u16" => load(2, Ext::Zero),
        "i16" => load(2, Ext::Sign),
        _ => None,
    }
}

/// `s_load_*` and `s_buffer_load_*`.
pub(super) fn family(name: &str, inst: &mut Inst) -> Option<Def> {
    if let Some(rest) = name.strip_prefix("s_load_") {
        inst.mem = width(rest)?;
        return Some(def(Class::Smem, load));
    }
    inst.mem = width(name.strip_prefix("s_buffer_load_")?)?;
    Some(def(Class::Smem, buffer_load))
}

/// The offset operand (register, constant or null) and the `offset:` modifier together.
fn offset(w: &Wave, i: &Inst) -> i64 {
    let operand = i.op(2).map_or(0, |s| match s.kind {
        Kind::S => i64::from(w.s32(s)),
        // gfx9 and later encode 21 or 24 signed bits; the text carries the sign.
        _ => i64::from(s.k.i64.cast_signed() as i32),
    });
    operand + i.imm
}

fn load(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let align = if i.mem.bytes() < 4 { !0 } else { !3 };
    let address = w.s64(&i.ops[1]).wrapping_add_signed(offset(w, i)) & align;
    fetch(w, e, i, address, i.mem.bytes())
}

fn fetch(w: &mut Wave, e: &mut Env<'_>, i: &Inst, address: u64, available: u32) -> Res {
    let MemOp::Load { bytes, ext } = i.mem else { return Err(Fault::unknown("not a load")) };
    let mut data = [0u8; 64];
    let len = (bytes as usize).min(available as usize);
    e.mem.read(address, &mut data[..len]).map_err(|reason| Fault::Access {
        kind: "scalar load",
        address,
        width: u32::from(bytes),
        lane: None,
        reason,
    })?;
    if e.log_accesses {
        w.accesses.push(Access {
            pc: i.pc,
            kind: AccessKind::ScalarLoad,
            after: w.markers.len(),
            width: u32::from(bytes),
            lanes: vec![(0, address)],
        });
    }
    for k in 0..(bytes as usize).div_ceil(4) {
        let word = u32::from_le_bytes([data[4 * k], data[4 * k + 1], data[4 * k + 2], data[4 * k + 3]]);
        let word = match (ext, bytes) {
            (Ext::Sign, 1) => i32::from(word as u8 as i8).cast_unsigned(),
            (Ext::Sign, 2) => i32::from(word as u16 as i16).cast_unsigned(),
            _ => word,
        };
        if i.ops[0].reg != sreg::NULL {
            w.set32(&Src { reg: i.ops[0].reg + k as u16, ..i.ops[0] }, word);
        }
    }
    Ok(())
}

/// Words beyond the descriptor's range read as zero.
fn buffer_load(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let d = super::buffer::BufferDescriptor::read(w, &i.ops[1]);
    let size = d.bytes();
    let align = if i.mem.bytes() < 4 { !0 } else { !3 };
    let at = (offset(w, i) as u64) & align;
    let available = size.saturating_sub(at).min(64) as u32;
    let whole = if i.mem.bytes() < 4 { available } else { available & !3 };
    if whole == 0 {
        for k in 0..u16::from(i.ops[0].n) {
            w.set32(&Src { reg: i.ops[0].reg + k, ..i.ops[0] }, 0);
        }
        return Ok(());
    }
    fetch(w, e, i, d.base.wrapping_add(at), whole)
}
