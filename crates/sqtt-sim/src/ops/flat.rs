//! Vector memory through addresses: global, flat, scratch.

use super::access::{Lanes, Space, access, to_lds};
use super::{Class, Def, def};
use crate::decode::memory::operation;
use crate::inst::{Exec, Inst, Kind, Src, flag};
use crate::memory::op::MemOp;
use crate::target::Target;
use crate::wave::Wave;

/// `global_*`, `flat_*`, `scratch_*`
pub(super) fn family(name: &str, inst: &mut Inst, _: Target) -> Option<Def> {
    let (rest, exec): (&str, Exec) = if let Some(rest) = name.strip_prefix("global_load_lds_") {
        // Bytes and halves fill a word of LDS each.
        inst.mem = operation(&format!("load_{rest}"))?;
        inst.flags |= flag::LDS;
        let exec: Exec = |w, e, i| {
            let lanes = addresses(w, i, false);
            to_lds(w, e, i, Space::Global, &lanes, 0)
        };
        return Some(Def { fix: Some(shape_lds), ..def(Class::Vmem, exec) });
    } else if let Some(rest) = name.strip_prefix("global_") {
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

/// An address and a scalar address; the result goes to LDS.
fn shape_lds(i: &mut Inst, target: Target) -> Option<()> {
    let o = i.ops;
    i.imm1 = i64::from(target == Target::Gfx950);
    i.ops = [Src::NONE, o[0], Src::NONE, o[1], Src::NONE, Src::NONE];
    (i.nops == 2).then_some(())
}

/// Brings operands into the order result, address, data, scalar address.
fn shape(i: &mut Inst, _: Target) -> Option<()> {
    if i.has(flag::LDS) {
        return None;
    }
    let none = Src::NONE;
    let o = i.ops;
    i.ops = match i.mem {
        MemOp::Load { .. } => [o[0], o[1], none, o[2], none, none],
        MemOp::Store { .. } => [none, o[0], o[1], o[2], none, none],
        MemOp::Atomic { .. } if i.has(flag::RETURN) => [o[0], o[1], o[2], o[3], none, none],
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
