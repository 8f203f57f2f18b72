//! DPP, SDWA and VOPD: wrappers around an instruction's own semantics.

use crate::env::Env;
use crate::error::Fault;
use crate::inst::{Control, Dpp, Exec, Inst, Kind, Res, Sdwa, Sel, Src, Unused, Wrap, flag, sreg};
use crate::wave::{Row, Wave};

/// Both halves read before either writes.
pub(crate) fn pair(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let Some(Wrap::Pair(x, y)) = i.wrap.as_deref() else { return Err(Fault::unknown("pair")) };
    let reg = x.ops[0].reg as usize;
    let reads = y.ops[..y.nops as usize].iter().any(|s| s.is_v() && s.reg as usize == reg);
    if !reads {
        (x.exec)(w, e, x)?;
        return (y.exec)(w, e, y);
    }
    let old = w.v[reg];
    (x.exec)(w, e, x)?;
    let new = std::mem::replace(&mut w.v[reg], old);
    let done = (y.exec)(w, e, y);
    w.v[reg] = new;
    done
}

/// The lane that `l` reads, if any.
fn source(control: Control, l: usize, n: usize) -> Option<usize> {
    let (row, lane) = (l & !15, l & 15);
    Some(match control {
        Control::QuadPerm(p) => l & !3 | p[l & 3] as usize & 3,
        Control::RowShl(k) => row + Some(lane + k as usize).filter(|&x| x < 16)?,
        Control::RowShr(k) => row + lane.checked_sub(k as usize)?,
        Control::RowRor(k) => row + (lane + 16 - k as usize % 16) % 16,
        Control::WaveShl => Some(l + 1).filter(|&x| x < n)?,
        Control::WaveRol => (l + 1) % n,
        Control::WaveShr => l.checked_sub(1)?,
        Control::WaveRor => (l + n - 1) % n,
        Control::RowMirror => row + 15 - lane,
        Control::RowHalfMirror => l & !7 | (7 - (l & 7)),
        Control::RowBcast15 => row.checked_sub(1)?,
        Control::RowBcast31 => (l & !31).checked_sub(1)?,
        Control::RowNewBcast(k) | Control::RowShare(k) => row + k as usize % 16,
        Control::RowXmask(k) => row + (lane ^ k as usize) % 16,
        Control::Dpp8(p) => l & !7 | p[l & 7] as usize & 7,
    })
}

/// Permutes the first source, turns off lanes that have none, then runs the instruction.
pub(crate) fn dpp(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let Some(Wrap::Dpp(dpp, inner)) = i.wrap.as_deref() else { return Err(Fault::unknown("dpp")) };
    let first = first_source(i);
    let src = i.ops[first];
    if !src.is_v() {
        return Err(Fault::unknown("DPP of a scalar source is not simulated"));
    }
    let exec = w.exec();
    let wide = usize::from(src.n.clamp(1, 2));
    let mut enabled = 0u64;
    for k in 0..wide {
        let from = w.v[src.reg as usize + k];
        let mut out: Row = [0; 64];
        enabled = 0;
        for l in 0..w.n {
            let lane = source(dpp.control, l, w.n);
            let lane = lane.filter(|&x| dpp.fetch_inactive || exec >> x & 1 != 0);
            match lane {
                Some(x) => out[l] = from[x],
                None if dpp.bound_zero => {}
                None => continue,
            }
            enabled |= u64::from(masked(dpp, l)) << l;
        }
        let temp = w.temp + k;
        w.v[temp] = out;
    }
    let mut inst = plain(i, *inner);
    inst.ops[first] = Src { reg: w.temp as u16, ..src };
    w.set_exec(exec & enabled);
    let done = (inst.exec)(w, e, &inst);
    if !i.has(flag::CMPX) {
        w.set_exec(exec);
    }
    done
}

fn masked(dpp: &Dpp, l: usize) -> bool {
    let full = matches!(dpp.control, Control::Dpp8(_));
    full || dpp.row_mask >> (l / 16) & 1 != 0 && dpp.bank_mask >> (l / 4 % 4) & 1 != 0
}

/// The instruction without its wrapper.
fn plain(i: &Inst, exec: Exec) -> Inst {
    Inst { exec, wrap: None, ..*i }
}

/// Vector sources follow the destination, and the carry-out where there is one.
fn first_source(i: &Inst) -> usize {
    let [dst, second, third, ..] = &i.ops;
    let carries =
        i.nops > 3 && dst.is_v() && second.kind == Kind::S && (third.is_v() || second.reg == sreg::VCC);
    if carries { 2 } else { 1 }
}

fn extract(x: u32, sel: Sel, signed: bool) -> u32 {
    match (sel, signed) {
        (Sel::Byte(k), false) => x >> (8 * k) & 0xff,
        (Sel::Byte(k), true) => i32::from((x >> (8 * k)) as u8 as i8).cast_unsigned(),
        (Sel::Word(k), false) => x >> (16 * k) & 0xffff,
        (Sel::Word(k), true) => i32::from((x >> (16 * k)) as u16 as i16).cast_unsigned(),
        (Sel::Dword, _) => x,
    }
}

fn insert(old: u32, new: u32, sdwa: &Sdwa) -> u32 {
    let (shift, bits) = match sdwa.dst {
        Sel::Byte(k) => (8 * u32::from(k), 8),
        Sel::Word(k) => (16 * u32::from(k), 16),
        Sel::Dword => return new,
    };
    let mask = (1u32 << bits) - 1;
    let field = (new & mask) << shift;
    match sdwa.unused {
        Unused::Pad => field,
        Unused::Preserve => old & !(mask << shift) | field,
        Unused::Sext => {
            let signed = (new << (32 - bits)).cast_signed() >> (32 - bits);
            (signed << shift).cast_unsigned()
        }
    }
}

/// Extracts the selected parts of the sources, runs the instruction, inserts its result.
pub(crate) fn sdwa(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let Some(Wrap::Sdwa(sdwa, inner)) = i.wrap.as_deref() else { return Err(Fault::unknown("sdwa")) };
    let first = first_source(i);
    let mut inst = plain(i, *inner);
    for (k, &sel) in sdwa.src.iter().enumerate().take((i.nops as usize).saturating_sub(first)) {
        let src = i.ops[first + k];
        let temp = w.temp + k;
        for l in 0..w.n {
            let x = if src.is_v() { w.v[src.reg as usize][l] } else { w.s32(&src) };
            w.v[temp][l] = extract(x, sel, src.sext);
        }
        inst.ops[first + k] = Src { kind: Kind::V, reg: temp as u16, n: 1, sext: false, ..src };
    }
    if !i.ops[0].is_v() {
        return (inst.exec)(w, e, &inst);
    }
    let (dst, temp) = (i.ops[0].reg as usize, w.temp + 2);
    let old = w.v[dst];
    w.v[temp] = old;
    inst.ops[0].reg = temp as u16;
    (inst.exec)(w, e, &inst)?;
    let exec = w.exec();
    for l in super::access::active(exec) {
        w.v[dst][l] = insert(old[l], w.v[temp][l], sdwa);
    }
    Ok(())
}
