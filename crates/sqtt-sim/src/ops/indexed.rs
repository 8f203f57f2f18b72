//! gfx9's indexed register mode: M0 offsets the vector registers that instructions name.

use super::{Class, Table, def};
use crate::env::Env;
use crate::error::Fault;
use crate::inst::{Inst, Res, flag, sreg};
use crate::wave::Wave;

const M0: usize = sreg::M0 as usize;

/// `SRC0,SRC1,SRC2,DST` as bits.
pub(crate) fn modes(list: &str) -> Option<i64> {
    list.split(',').map(str::trim).filter(|n| !n.is_empty()).try_fold(0, |bits, name| {
        Some(
            bits | match name {
                "SRC0" => 1,
                "SRC1" => 2,
                "SRC2" => 4,
                "DST" => 8,
                _ => return None,
            },
        )
    })
}

fn enable(w: &mut Wave, modes: i64) {
    w.gpr_index = modes as u8;
    w.s[M0] = w.s[M0] & !0xf000 | (modes as u32) << 12;
}

pub(super) const TABLE: Table = &[
    (
        "s_set_gpr_idx_on",
        def(Class::Salu, |w, _, i| {
            w.s[M0] = w.s[M0] & !0xff | w.s32(&i.ops[0]) & 0xff;
            enable(w, i.imm);
            Ok(())
        }),
    ),
    (
        "s_set_gpr_idx_mode",
        def(Class::Salu, |w, _, i| {
            enable(w, i.imm);
            Ok(())
        }),
    ),
    (
        "s_set_gpr_idx_idx",
        def(Class::Salu, |w, _, i| {
            w.s[M0] = w.s[M0] & !0xff | w.s32(&i.ops[0]) & 0xff;
            Ok(())
        }),
    ),
    (
        "s_set_gpr_idx_off",
        def(Class::Salu, |w, _, _| {
            w.gpr_index = 0;
            Ok(())
        }),
    ),
];

/// Executes an instruction while the mode is on.
pub(crate) fn run(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    if !i.has(flag::VALU) {
        return (i.exec)(w, e, i);
    }
    if i.wrap.is_some() || i.nops > 4 || !i.ops[0].is_v() {
        return Err(Fault::unknown("this instruction in indexed register mode is not simulated"));
    }
    let mut inst = i.clone();
    for (k, bit) in [8, 1, 2, 4].into_iter().enumerate() {
        if w.gpr_index & bit != 0 && inst.ops[k].is_v() {
            let row = w.row(i64::from(inst.ops[k].reg) + i64::from(w.s[M0] & 0xff))?;
            inst.ops[k].reg = row as u16;
        }
    }
    (inst.exec)(w, e, &inst)
}
