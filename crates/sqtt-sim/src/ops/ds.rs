//! LDS instructions, and those that use its crossbar.

use super::access::{self, Lanes, Space};
use super::{Class, Def, Table, def};
use crate::decode::memory::operation;
use crate::env::Env;
use crate::error::Fault;
use crate::inst::{Inst, Res, Src, flag, sreg};
use crate::lanes::{rd, wr};
use crate::memory::op::MemOp;
use crate::result::AccessKind;
use crate::target::Target;
use crate::wave::{State, Wave, ZERO};

/// `ds_*` by operation; two-address forms keep their two offsets.
pub(super) fn family(name: &str, inst: &mut Inst) -> Option<Def> {
    let rest = name.strip_prefix("ds_")?;
    let two = |rest: &str| -> Option<(MemOp, i64)> {
        let (load, bytes, stride) = match rest {
            "read2_b32" | "load_2addr_b32" => (true, 4, 1),
            "read2st64_b32" | "load_2addr_stride64_b32" => (true, 4, 64),
            "read2_b64" | "load_2addr_b64" => (true, 8, 1),
            "read2st64_b64" | "load_2addr_stride64_b64" => (true, 8, 64),
            "write2_b32" | "store_2addr_b32" => (false, 4, 1),
            "write2st64_b32" | "store_2addr_stride64_b32" => (false, 4, 64),
            "write2_b64" | "store_2addr_b64" => (false, 8, 1),
            "write2st64_b64" | "store_2addr_stride64_b64" => (false, 8, 64),
            _ => return None,
        };
        let op = if load {
            MemOp::Load { bytes, ext: crate::memory::op::Ext::None }
        } else {
            MemOp::Store { bytes, high: false }
        };
        Some((op, i64::from(bytes) * stride))
    };
    if let Some((op, unit)) = two(rest) {
        inst.mem = op;
        let exec: crate::inst::Exec = match (unit, matches!(op, MemOp::Load { .. })) {
            (_, true) => read2,
            _ => write2,
        };
        let fix: super::Fix = match unit {
            4 => |i, _| scale(i, 4),
            8 => |i, _| scale(i, 8),
            256 => |i, _| scale(i, 256),
            _ => |i, _| scale(i, 512),
        };
        return Some(Def { fix: Some(fix), ..def(Class::Lds, exec) });
    }
    inst.mem = operation(rest)?;
    let returns = rest.contains("_rtn");
    let compare_first = rest.starts_with("cmpst_") || rest.starts_with("mskor");
    let fix: super::Fix = match (inst.mem, returns, compare_first) {
        (MemOp::Load { .. }, ..) => |_, _| Some(()),
        (MemOp::Store { .. }, ..) => |i, _| shift(i),
        (_, true, false) => |_, _| Some(()),
        (_, true, true) => swap_data,
        (_, false, false) => |i, _| shift(i),
        (_, false, true) => |i, t| {
            shift(i)?;
            swap_data(i, t)
        },
    };
    Some(Def { fix: Some(fix), ..def(Class::Lds, one) })
}

fn scale(i: &mut Inst, unit: i64) -> Option<()> {
    i.imm *= unit;
    i.imm1 *= unit;
    Some(())
}

/// Instructions without a result: leaves room for one.
fn shift(i: &mut Inst) -> Option<()> {
    i.ops.copy_within(0..5, 1);
    i.ops[0] = Src::NONE;
    i.nops += 1;
    Some(())
}

/// `ds_cmpst` names the compared value first; its successors name it last.
fn swap_data(i: &mut Inst, _: Target) -> Option<()> {
    i.ops.swap(2, 3);
    Some(())
}

fn lanes(w: &Wave, address: &Src, offset: i64) -> Lanes {
    let mut buf = ZERO;
    let a = rd(w, address, &mut buf);
    let mut lanes = Lanes::new(w.exec());
    for l in 0..w.n {
        // Addresses have 32 bits: the compiler counts on a base below zero that the offset brings back.
        lanes.address[l] = u64::from(a[l].wrapping_add(offset as u32));
    }
    lanes
}

/// Operands: result, address, data, compared value.
fn one(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let lanes = lanes(w, &i.ops[1], i.imm);
    let compare = i.op(3).copied();
    access::access(w, e, i, Space::Lds, &lanes, &i.ops[0], &i.ops[2], compare.as_ref())
}

fn read2(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let words = i.mem.bytes() as u16 / 4;
    let (first, second) = (lanes(w, &i.ops[1], i.imm), lanes(w, &i.ops[1], i.imm1));
    let high = Src { reg: i.ops[0].reg + words, ..i.ops[0] };
    access::access(w, e, i, Space::Lds, &first, &i.ops[0], &Src::NONE, None)?;
    access::access(w, e, i, Space::Lds, &second, &high, &Src::NONE, None)
}

fn write2(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    for (data, offset) in [(1, i.imm), (2, i.imm1)] {
        let lanes = lanes(w, &i.ops[0], offset);
        access::access(w, e, i, Space::Lds, &lanes, &Src::NONE, &i.ops[data], None)?;
    }
    Ok(())
}

/// Each lane reads the lane that its address names; inactive lanes give 0.
fn bpermute(w: &mut Wave, i: &Inst, fetch_inactive: bool) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let exec = w.exec();
    {
        let (a, d) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1));
        for l in 0..w.n {
            let from = (a[l].wrapping_add(i.imm as u32) / 4) as usize & (w.n - 1);
            // In wave64, gfx10 and gfx11 permute within each half.
            let from = if matches!(w.generation, 10 | 11) { l & 32 | from & 31 } else { from };
            out[l] = if fetch_inactive || exec >> from & 1 != 0 { d[from] } else { 0 };
        }
    }
    wr(w, &i.ops[0], &out);
}

/// Each active lane sends to the lane that its address names; the last one wins.
fn permute(w: &mut Wave, i: &Inst) {
    let (mut b0, mut b1, mut out) = (ZERO, ZERO, ZERO);
    let exec = w.exec();
    {
        let (a, d) = (rd(w, &i.ops[1], &mut b0), rd(w, &i.ops[2], &mut b1));
        for l in (0..w.n).filter(|l| exec >> l & 1 != 0) {
            let to = (a[l].wrapping_add(i.imm as u32) / 4) as usize & (w.n - 1);
            let to = if matches!(w.generation, 10 | 11) { l & 32 | to & 31 } else { to };
            out[to] = d[l];
        }
    }
    wr(w, &i.ops[0], &out);
}

/// The lane that lane `l` reads from by the 16-bit swizzle pattern.
fn swizzle_from(l: usize, pattern: usize) -> Option<usize> {
    let within = l & 31;
    let from = if pattern & 0x8000 == 0 {
        (within & (pattern & 31) | pattern >> 5 & 31) ^ (pattern >> 10 & 31)
    } else if pattern & 0xff00 == 0x8000 {
        within & !3 | pattern >> (2 * (l & 3)) & 3
    } else if pattern & 0xe000 == 0xc000 {
        // Rotation by bits 9:5 among the lanes that the mask in bits 4:0 does not fix.
        let (mask, by) = (pattern & 31, pattern >> 5 & 31);
        let by = if pattern & 0x400 != 0 { by.wrapping_neg() } else { by };
        within & mask | within.wrapping_add(by) & 31 & !mask
    } else {
        return None;
    };
    Some(l & 32 | from)
}

fn swizzle(w: &mut Wave, i: &Inst) -> Res {
    let (mut b0, mut out) = (ZERO, ZERO);
    let exec = w.exec();
    {
        let d = rd(w, &i.ops[1], &mut b0);
        for l in 0..w.n {
            let from = swizzle_from(l, i.imm as usize & 0xffff)
                .ok_or_else(|| Fault::unknown("FFT swizzles are not simulated"))?;
            out[l] = if exec >> from & 1 != 0 { d[from] } else { 0 };
        }
    }
    wr(w, &i.ops[0], &out);
    Ok(())
}

/// Adds the number of active lanes to a counter at M0 plus the offset, or subtracts it: all lanes get the old value.
fn counter(w: &mut Wave, e: &mut Env<'_>, i: &Inst, f: crate::memory::op::Rmw) -> Res {
    let exec = w.exec();
    if exec == 0 {
        return Ok(());
    }
    let mut one = Lanes::new(exec & exec.wrapping_neg());
    // gfx12 has no base in M0.
    let base = if w.generation >= 12 { 0 } else { w.s[usize::from(sreg::M0)] & 0xffff };
    one.address.fill(u64::from(base).wrapping_add_signed(i.imm));
    let mut count = Src::new(crate::inst::Kind::K, 0, 1);
    count.k.b32 = exec.count_ones();
    let add = Inst { mem: MemOp::Atomic { bytes: 4, f, compare: false, open: false }, ..i.clone() };
    access::access(w, e, &add, Space::Lds, &one, &i.ops[0], &count, None)?;
    let row = &mut w.v[usize::from(i.ops[0].reg)];
    let old = row[exec.trailing_zeros() as usize];
    for l in access::active(exec) {
        row[l] = old;
    }
    Ok(())
}

/// Waits until as many waves of the grid have come as the first active lane says, and one.
fn grid_barrier(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let Some(grid) = &e.grid else {
        return Err(Fault::unknown("a barrier of the grid outside of a cooperative dispatch"));
    };
    let base = i64::from(w.s[usize::from(sreg::M0)] >> 16 & 0x3f);
    let number = ((base + i.imm) & 63) as u8;
    let others = w.v[usize::from(i.ops[0].reg)][w.first_lane()];
    let barrier = &mut grid.borrow_mut()[usize::from(number)];
    w.barrier_target = barrier.phase + 1;
    barrier.arrive(w.time, others.saturating_add(1));
    // The last one goes on where the others do: in its next turn.
    w.state = State::Grid(number);
    Ok(())
}

/// Transposes 16-bit elements: of every 16 lanes, lane `l` gets element `l mod 4` of lanes `l/4`, `l/4 + 4`, `l/4 + 8` and
/// `l/4 + 12`, each of which read four.
fn transposed(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    if w.exec() != w.full {
        return Err(Fault::unknown("transposing loads with inactive lanes are not simulated"));
    }
    let (temp, first) = (w.temp, usize::from(i.ops[0].reg));
    let read = Src::new(crate::inst::Kind::V, temp as u16, 2);
    let addresses = lanes(w, &i.ops[1], i.imm);
    access::access(w, e, i, Space::Lds, &addresses, &read, &Src::NONE, None)?;
    for l in 0..w.n {
        let element = |n: usize| {
            let from = (l & !15) + l / 4 % 4 + 4 * n;
            w.v[temp + l % 4 / 2][from] >> (l % 2 * 16) & 0xffff
        };
        let words = [element(0) | element(1) << 16, element(2) | element(3) << 16];
        for (k, word) in words.into_iter().enumerate() {
            w.v[first + k][l] = word;
        }
    }
    Ok(())
}

pub(super) const TABLE: Table = &[
    (
        "ds_read_b64_tr_b16",
        Def {
            fix: Some(|i, _| {
                i.mem = MemOp::Load { bytes: 8, ext: crate::memory::op::Ext::None };
                (i.nops == 2 && i.ops[0].n == 2).then_some(())
            }),
            ..def(Class::Lds, transposed)
        },
    ),
    (
        "ds_gws_barrier",
        Def {
            fix: Some(|i, _| {
                // It has no other form.
                i.flags &= !flag::GDS;
                (i.nops == 1).then_some(())
            }),
            ..def(Class::Lds, grid_barrier)
        },
    ),
    ("ds_append", def(Class::Lds, |w, e, i| counter(w, e, i, |old, n, _| old.wrapping_add(n)))),
    ("ds_consume", def(Class::Lds, |w, e, i| counter(w, e, i, |old, n, _| old.wrapping_sub(n)))),
    (
        "ds_bpermute_b32",
        def(Class::Lds, |w, e, i| {
            access::log(w, e, i, AccessKind::Bpermute, 4, &lanes(w, &i.ops[1], i.imm));
            bpermute(w, i, false);
            Ok(())
        }),
    ),
    (
        "ds_bpermute_fi_b32",
        def(Class::Lds, |w, e, i| {
            access::log(w, e, i, AccessKind::Bpermute, 4, &lanes(w, &i.ops[1], i.imm));
            bpermute(w, i, true);
            Ok(())
        }),
    ),
    (
        "ds_permute_b32",
        def(Class::Lds, |w, e, i| {
            access::log(w, e, i, AccessKind::Permute, 4, &lanes(w, &i.ops[1], i.imm));
            permute(w, i);
            Ok(())
        }),
    ),
    ("ds_swizzle_b32", def(Class::Lds, |w, _, i| swizzle(w, i))),
];
