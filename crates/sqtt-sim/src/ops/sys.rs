//! Control flow, barriers, hardware registers, clocks, trace writes, and what does nothing here.

use super::{Class, Def, Table, def};
use crate::env::{CYCLES_PER_TICK, Env};
use crate::error::Fault;
use crate::inst::{Inst, Kind, Res, Src, sreg};
use crate::result::MarkerRecord;
use crate::wave::{Mode, State, Wave};

const fn nop() -> Def {
    def(Class::Nop, |_, _, _| Ok(()))
}

/// Waits, hints and cache maintenance: memory here is coherent and results arrive at once.
pub(super) const NOPS: Table = &[
    (
        "s_nop s_waitcnt s_waitcnt_vscnt s_waitcnt_vmcnt s_waitcnt_expcnt s_waitcnt_lgkmcnt s_waitcnt_depctr \
         s_wait_alu s_wait_loadcnt s_wait_storecnt s_wait_samplecnt s_wait_bvhcnt s_wait_expcnt s_wait_dscnt \
         s_wait_kmcnt s_wait_loadcnt_dscnt s_wait_storecnt_dscnt s_wait_idle s_wait_event s_delay_alu s_clause \
         s_inst_prefetch s_set_inst_prefetch_distance s_setprio s_icache_inv s_dcache_inv \
         s_dcache_wb s_gl1_inv s_incperflevel s_decperflevel s_code_end \
         s_prefetch_inst s_prefetch_inst_pc_rel s_prefetch_data s_prefetch_data_pc_rel s_buffer_prefetch_data \
         s_dcache_inv_vol s_dcache_wb_vol s_version s_wakeup",
        nop(),
    ),
    (
        "buffer_gl0_inv buffer_gl1_inv buffer_wbl2 buffer_inv buffer_invl2 buffer_wbinvl1 buffer_wbinvl1_vol \
         global_inv global_wb global_wbinv v_nop ds_nop",
        nop(),
    ),
];

fn jump(w: &mut Wave, i: &Inst, taken: bool) -> Res {
    if taken {
        if i.target == u32::MAX {
            return Err(Fault::BadPc(i.pc));
        }
        w.pc = i.target as usize;
    }
    Ok(())
}

macro_rules! branch {
    (|$w:ident| $e:expr) => {
        def(Class::Salu, |$w, _, i| {
            let taken = $e;
            jump($w, i, taken)
        })
    };
}

/// The absolute address of a virtual address in the code object.
fn absolute(e: &Env<'_>, pc: u64) -> u64 {
    e.base.wrapping_add(pc)
}

fn go(w: &mut Wave, e: &Env<'_>, address: u64) -> Res {
    let pc = address.wrapping_sub(e.base);
    w.pc = e.code.find(pc).ok_or(Fault::BadPc(pc))? as usize;
    Ok(())
}

fn trace(w: &mut Wave, e: &Env<'_>, i: &Inst, value: u32, immediate: bool) {
    if e.log_markers {
        w.markers.push(MarkerRecord { pc: i.pc, value, time: w.time, immediate });
    }
}

/// Arrives at the workgroup's barrier; says whether this is the phase's first arrival.
fn arrive(w: &mut Wave, e: &mut Env<'_>) -> bool {
    w.barrier_target = e.barrier.phase + 1;
    e.barrier.arrive(w.time, e.waves)
}

fn wait(w: &mut Wave, e: &Env<'_>) {
    if e.barrier.phase < w.barrier_target {
        w.state = State::Barrier;
    } else {
        w.time = w.time.max(e.barrier.release);
    }
}

/// Only the workgroup barrier (-1) exists for compute code without named barriers.
fn workgroup_barrier(s: &Src) -> Res {
    if s.kind == Kind::K && s.k.b32 as u16 == 0xffff {
        return Ok(());
    }
    Err(Fault::unknown("named and trap barriers are not simulated"))
}

/// The number behind `sendmsg(...)`; the returning messages have numbers from 128 on.
pub(crate) fn message(text: &str) -> i64 {
    let inner = text.trim_start_matches("sendmsg(").trim_end_matches(')');
    match inner.split(',').next().unwrap_or("").trim() {
        "MSG_DEALLOC_VGPRS" => 3,
        "MSG_INTERRUPT" => 1,
        "MSG_RTN_GET_REALTIME" => 131,
        other => other.parse().unwrap_or(-1),
    }
}

fn get_register(w: &Wave, i: &Inst) -> Result<u32, Fault> {
    let value = match (i.imm, w.generation) {
        (1, _) => w.mode.raw,
        (4, 9) => w.hw_id,
        (20, 9) => 0,
        (20, 10) => w.s[sreg::FLAT_SCRATCH as usize],
        (21, 10) => w.s[sreg::FLAT_SCRATCH as usize + 1],
        (23, 10..) => w.hw_id,
        (24, 10..) => w.hw_id2,
        (29, 10 | 11) => w.time as u32 & 0xf_ffff,
        (29, 12) => w.time as u32,
        (30, 12) => (w.time >> 32) as u32,
        (id, _) => return Err(Fault::unknown(format!("hardware register {id} is not simulated here"))),
    };
    let (offset, size) = (i.imm1 as u32 & 31, i.imm1 as u32 >> 8);
    Ok(value >> offset & u32::MAX >> (32 - size))
}

fn set_register(w: &mut Wave, i: &Inst, value: u32) -> Res {
    let (offset, size) = (i.imm1 as u32 & 31, i.imm1 as u32 >> 8);
    let mask = (u32::MAX >> (32 - size)) << offset;
    let merged = |old: u32| old & !mask | value << offset & mask;
    match (i.imm, w.generation) {
        (1, generation) => {
            let raw = merged(w.mode.raw);
            set_mode(w, raw, generation)
        }
        (20, 10) => {
            w.s[sreg::FLAT_SCRATCH as usize] = merged(w.s[sreg::FLAT_SCRATCH as usize]);
            Ok(())
        }
        (21, 10) => {
            w.s[sreg::FLAT_SCRATCH as usize + 1] = merged(w.s[sreg::FLAT_SCRATCH as usize + 1]);
            Ok(())
        }
        (id, _) => Err(Fault::unknown(format!("writing hardware register {id} is not simulated"))),
    }
}

fn set_mode(w: &mut Wave, raw: u32, generation: u8) -> Res {
    if raw & 0xf != 0 {
        return Err(Fault::unknown("rounding modes other than to nearest even are not simulated"));
    }
    w.mode = Mode::from_raw(raw, generation);
    Ok(())
}

pub(super) const TABLE: Table = &[
    (
        "s_endpgm s_endpgm_saved",
        def(Class::Salu, |w, _, _| {
            w.state = State::Ended;
            Ok(())
        }),
    ),
    ("s_branch", branch!(|_w| true)),
    ("s_cbranch_scc0", branch!(|w| !w.scc)),
    ("s_cbranch_scc1", branch!(|w| w.scc)),
    ("s_cbranch_vccz", branch!(|w| w.vcc() == 0)),
    ("s_cbranch_vccnz", branch!(|w| w.vcc() != 0)),
    ("s_cbranch_execz", branch!(|w| w.exec() == 0)),
    ("s_cbranch_execnz", branch!(|w| w.exec() != 0)),
    (
        "s_getpc_b64",
        def(Class::Salu, |w, e, i| {
            w.set64(&i.ops[0], absolute(e, i.pc + u64::from(i.size)));
            Ok(())
        }),
    ),
    ("s_setpc_b64", def(Class::Salu, |w, e, i| go(w, e, w.s64(&i.ops[0])))),
    (
        "s_swappc_b64",
        def(Class::Salu, |w, e, i| {
            let target = w.s64(&i.ops[1]);
            w.set64(&i.ops[0], absolute(e, i.pc + u64::from(i.size)));
            go(w, e, target)
        }),
    ),
    (
        "s_call_b64",
        def(Class::Salu, |w, e, i| {
            w.set64(&i.ops[0], absolute(e, i.pc + u64::from(i.size)));
            jump(w, i, true)
        }),
    ),
    (
        "s_barrier",
        def(Class::Salu, |w, e, _| {
            arrive(w, e);
            wait(w, e);
            Ok(())
        }),
    ),
    (
        "s_barrier_signal",
        def(Class::Salu, |w, e, i| {
            workgroup_barrier(&i.ops[0])?;
            arrive(w, e);
            Ok(())
        }),
    ),
    (
        "s_barrier_signal_isfirst",
        def(Class::Salu, |w, e, i| {
            workgroup_barrier(&i.ops[0])?;
            w.scc = arrive(w, e);
            Ok(())
        }),
    ),
    (
        "s_barrier_wait",
        def(Class::Salu, |w, e, i| {
            workgroup_barrier(&i.ops[0])?;
            wait(w, e);
            Ok(())
        }),
    ),
    (
        "s_ttracedata",
        def(Class::Trace, |w, e, i| {
            let value = w.s[sreg::M0 as usize];
            trace(w, e, i, value, false);
            Ok(())
        }),
    ),
    (
        "s_ttracedata_imm",
        def(Class::Trace, |w, e, i| {
            trace(w, e, i, i.ops[0].k.b32 & 0xff, true);
            Ok(())
        }),
    ),
    (
        "s_sleep",
        def(Class::Salu, |w, _, i| {
            if i.ops[0].k.b32 & 0x8000 != 0 {
                return Err(Fault::unknown("sleeping until an event is not simulated"));
            }
            w.time += u64::from(i.ops[0].k.b32 & 0x7f) * 64;
            Ok(())
        }),
    ),
    (
        "s_sleep_var",
        def(Class::Salu, |w, _, i| {
            w.time += u64::from(w.s32(&i.ops[0]) & 0x7f) * 64;
            Ok(())
        }),
    ),
    ("s_trap", def(Class::Salu, |_, _, i| Err(Fault::Trap(i.ops[0].k.b32)))),
    ("s_sethalt", def(Class::Salu, |_, _, _| Err(Fault::unknown("halting is not simulated")))),
    (
        "s_sendmsg",
        def(Class::Salu, |_, _, i| match i.imm {
            3 => Ok(()),
            _ => Err(Fault::unknown("this message is not simulated")),
        }),
    ),
    (
        "s_sendmsg_rtn_b64",
        def(Class::Smem, |w, _, i| match i.imm {
            131 => {
                w.set64(&i.ops[0], w.time / CYCLES_PER_TICK);
                Ok(())
            }
            _ => Err(Fault::unknown("this message is not simulated")),
        }),
    ),
    (
        "s_memtime",
        def(Class::Smem, |w, _, i| {
            w.set64(&i.ops[0], w.time);
            Ok(())
        }),
    ),
    (
        "s_memrealtime",
        def(Class::Smem, |w, _, i| {
            w.set64(&i.ops[0], w.time / CYCLES_PER_TICK);
            Ok(())
        }),
    ),
    (
        "s_getreg_b32",
        def(Class::Salu, |w, _, i| {
            let value = get_register(w, i)?;
            w.set32(&i.ops[0], value);
            Ok(())
        }),
    ),
    (
        "s_setreg_b32",
        def(Class::Salu, |w, _, i| {
            let value = w.s32(&i.ops[1]);
            set_register(w, i, value)
        }),
    ),
    ("s_setreg_imm32_b32", def(Class::Salu, |w, _, i| set_register(w, i, i.ops[1].k.b32))),
    (
        "s_denorm_mode",
        def(Class::Salu, |w, _, i| {
            let raw = w.mode.raw & !0xf0 | (i.ops[0].k.b32 & 0xf) << 4;
            set_mode(w, raw, w.generation)
        }),
    ),
    (
        "s_round_mode",
        def(Class::Salu, |w, _, i| {
            let raw = w.mode.raw & !0xf | i.ops[0].k.b32 & 0xf;
            set_mode(w, raw, w.generation)
        }),
    ),
];
