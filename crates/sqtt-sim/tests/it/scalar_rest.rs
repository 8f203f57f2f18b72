//! Scalar instructions that the other tables leave out: EXEC, 64 bits, gfx12's f16, control, what does nothing.

use crate::float::{half, to_half};
use crate::scalar::{Case, check, nz, s};

fn q(a: u64, b: u64) -> u64 {
    a | b << 32
}

/// The low halves of the old and the new EXEC; SCC tells whether the new one has a bit.
fn saved(old: u64, new: u64) -> (u32, bool) {
    ((old & 0xffff | (new & 0xffff) << 16) as u32, new & 0xffff_ffff != 0)
}

/// EXEC is `s11` before the instruction, whose source is `s10`.
macro_rules! exec32 {
    ($name:literal) => {
        concat!(
            "s_mov_b32 exec_lo, s11\n\t",
            $name,
            " s14, s10\n\ts_pack_ll_b32_b16 s20, s14, exec_lo\n\ts_mov_b32 exec_lo, -1"
        )
    };
}

/// EXEC is `{s11, s10}` (low first) before the instruction, whose source is `{s10, s11}`.
macro_rules! exec64 {
    ($name:literal) => {
        concat!(
            "s_mov_b32 exec_lo, s11\n\ts_mov_b32 exec_hi, s10\n\t",
            $name,
            " s[14:15], s[10:11]\n\ts_pack_ll_b32_b16 s20, s14, exec_hi\n\ts_mov_b64 exec, 0xffffffff"
        )
    };
}

/// The results of [`exec64`]: the low word of the saved EXEC, the high word of the new one, true where any bit is on.
fn saved64(a: u64, b: u64, old: bool, f: fn(u64, u64) -> u64) -> (u32, bool) {
    let (exec, new) = (q(b, a), f(q(a, b), q(b, a)));
    let kept = if old { exec } else { new };
    ((kept & 0xffff | (new >> 32 & 0xffff) << 16) as u32, new != 0)
}

macro_rules! wide {
    ($name:literal) => {
        concat!(
            "s_mov_b32 s12, s11\n\ts_mov_b32 s13, s10\n\t",
            $name,
            " s[14:15], s[10:11], s[12:13]\n\ts_mov_b32 s20, s15"
        )
    };
}

fn high(x: u64) -> (u32, bool) {
    ((x >> 32) as u32, x != 0)
}

const WORDS: &[Case] = &[
    (9..=12, "s_or_b32 s20, s10, s11", |a, b, _| nz(a | b)),
    (9..=12, "s_xor_b32 s20, s10, s11", |a, b, _| nz((a | b) & !(a & b))),
    (9..=12, "s_andn2_b32 s20, s10, s11", |a, b, _| nz(a & !b)),
    (9..=12, "s_mul_hi_u32 s20, s10, s11", |a, b, _| (((a * b) >> 32) as u32, true)),
    (9..=12, "s_lshl1_add_u32 s20, s10, s11", |a, b, _| ((a * 2 + b) as u32, a * 2 + b > 0xffff_ffff)),
    (9..=12, "s_sext_i32_i16 s20, s10", |a, _, _| (i32::from(a as u16 as i16) as u32, true)),
    (9..=12, "s_cmp_lg_u32 s10, s11", |a, b, d| (d, a != b)),
    (9..=12, "s_cmp_gt_i32 s10, s11", |a, b, d| (d, s(a) > s(b))),
    (9..=12, "s_cmp_lt_u32 s10, s11", |a, b, d| (d, a < b)),
    (9..=12, "s_bitcmp0_b32 s10, s11", |a, b, d| (d, a >> (b % 32) & 1 == 0)),
    (10..=12, exec32!("s_or_saveexec_b32"), |a, b, _| saved(b, a | b)),
    (10..=12, exec32!("s_xor_saveexec_b32"), |a, b, _| saved(b, a ^ b)),
    (10..=12, exec32!("s_nor_saveexec_b32"), |a, b, _| saved(b, !(a | b))),
    (10..=12, exec32!("s_xnor_saveexec_b32"), |a, b, _| saved(b, !(a ^ b))),
    (10..=12, exec32!("s_orn1_saveexec_b32"), |a, b, _| saved(b, !a | b)),
    (10..=12, exec32!("s_andn2_saveexec_b32"), |a, b, _| saved(b, a & !b)),
    (10..=12, exec32!("s_orn2_saveexec_b32"), |a, b, _| saved(b, a | !b)),
    (10..=12, exec32!("s_andn1_wrexec_b32"), |a, b, _| saved(!a & b, !a & b)),
];

const PAIRS: &[Case] = &[
    (9..=12, wide!("s_and_b64"), |a, b, _| high(q(a, b) & q(b, a))),
    (9..=12, wide!("s_or_b64"), |a, b, _| high(q(a, b) | q(b, a))),
    (9..=12, wide!("s_xor_b64"), |a, b, _| high(q(a, b) ^ q(b, a))),
    (9..=12, wide!("s_andn2_b64"), |a, b, _| high(q(a, b) & !q(b, a))),
    (9..=12, wide!("s_orn2_b64"), |a, b, _| high(q(a, b) | !q(b, a))),
    (9..=12, concat!("s_cmp_lt_u32 s10, s11\n\t", wide!("s_cselect_b64")), |a, b, _| {
        (if a < b { b } else { a } as u32, a < b)
    }),
    (12..=12, wide!("s_add_nc_u64"), |a, b, _| {
        (((u128::from(q(a, b)) + u128::from(q(b, a))) >> 32) as u32, true)
    }),
    (9..=12, "s_lshr_b64 s[14:15], s[10:11], s11\n\ts_mov_b32 s20, s14", |a, b, _| {
        let r = q(a, b) >> (b % 64);
        (r as u32, r != 0)
    }),
    (9..=12, "s_ff1_i32_b64 s20, s[10:11]", |a, b, _| {
        ((0..64).find(|k| q(a, b) >> k & 1 == 1).map_or(u32::MAX, |k| k as u32), true)
    }),
    (9..=9, exec64!("s_and_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s & e)),
    (9..=9, exec64!("s_or_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s | e)),
    (9..=9, exec64!("s_xor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s ^ e)),
    (9..=9, exec64!("s_nor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !(s | e))),
    (9..=9, exec64!("s_xnor_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !(s ^ e))),
    (9..=9, exec64!("s_orn1_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| !s | e)),
    (9..=9, exec64!("s_andn2_saveexec_b64"), |a, b, _| saved64(a, b, true, |s, e| s & !e)),
    (9..=9, exec64!("s_andn1_wrexec_b64"), |a, b, _| saved64(a, b, false, |s, e| !s & e)),
];

fn h(x: u64) -> f64 {
    half(x as u32 & 0xffff)
}

/// Towards zero: the nearest one, or the one below it where that lies beyond.
fn toward_zero(bits: u64) -> u32 {
    let x = f64::from(f32::from_bits(bits as u32));
    if x.is_nan() {
        return (bits >> 16 & 0x8000 | 0x7e00 | bits >> 13 & 0x1ff) as u32;
    }
    let near = to_half(x);
    if x.is_finite() && half(near).abs() > x.abs() { near - 1 } else { near }
}

/// `s10` and `s11` as f32, turned into f16: numbers, infinities and denormals besides the edges' own.
macro_rules! f16 {
    ($text:literal) => {
        concat!("s_cvt_f16_f32 s10, s10\n\t", $text)
    };
}

fn narrowed(a: u64) -> f64 {
    let x = f32::from_bits(a as u32);
    if x.is_nan() { f64::NAN } else { half(to_half(f64::from(x))) }
}

const FLOAT: &[Case] = &[
    (12..=12, "s_cvt_u32_f32 s20, s10", |a, _, _| {
        let x = f64::from(f32::from_bits(a as u32));
        (if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 }, true)
    }),
    (12..=12, "s_cvt_pk_rtz_f16_f32 s20, s10, 0x477fffff", |a, _, _| (toward_zero(a) | 0x7bff << 16, true)),
    (12..=12, "s_cvt_pk_rtz_f16_f32 s20, 1.0, s10", |a, _, _| (0x3c00 | toward_zero(a) << 16, true)),
    (12..=12, "s_max_num_f16 s20, s10, -1.0", |a, _, _| (to_half(h(a).max(-1.0)), true)),
    (12..=12, "s_minimum_f16 s20, s10, s11", |a, b, _| {
        let (x, y) = (h(a), h(b));
        let least = if x.total_cmp(&y).is_le() { x } else { y };
        (to_half(if x.is_nan() || y.is_nan() { f64::NAN } else { least }), true)
    }),
    (12..=12, "v_s_rsq_f16 s20, s10", |a, _, _| (to_half(1.0 / h(a).sqrt()), true)),
    (12..=12, f16!("s_cmp_eq_f16 s10, 0"), |a, _, d| (d, narrowed(a) == 0.0)),
    (12..=12, "s_cmp_eq_f16 s10, s11", |a, b, d| (d, h(a) == h(b))),
    (12..=12, "s_cmp_le_f16 s10, s11", |a, b, d| (d, h(a) <= h(b))),
    (12..=12, "s_cmp_gt_f16 s10, s11", |a, b, d| (d, h(a) > h(b))),
    (12..=12, "s_cmp_lg_f16 s10, s11", |a, b, d| (d, h(a) < h(b) || h(a) > h(b))),
    (12..=12, "s_cmp_o_f16 s10, s11", |a, b, d| (d, !(h(a).is_nan() || h(b).is_nan()))),
    (12..=12, "s_cmp_nlg_f16 s10, s11", |a, b, d| (d, h(a) == h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_ngt_f16 s10, s11", |a, b, d| (d, h(a) <= h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_nle_f16 s10, s11", |a, b, d| (d, h(a) > h(b) || h(a).is_nan() || h(b).is_nan())),
    (12..=12, "s_cmp_nlt_f16 s10, s11", |a, b, d| (d, h(a) >= h(b) || h(a).is_nan() || h(b).is_nan())),
];

/// Each branch jumps over the instruction behind it.
const CONTROL: &[Case] = &[
    (9..=12, "s_cmp_lt_u32 s10, s11\n\ts_cbranch_scc1 1\n\ts_mov_b32 s20, s10", |a, b, d| {
        (if a < b { d } else { a as u32 }, a < b)
    }),
    (9..=9, "s_mov_b64 vcc, s[10:11]\n\ts_cbranch_vccz 1\n\ts_mov_b32 s20, 1", |a, b, d| {
        (if a | b == 0 { d } else { 1 }, true)
    }),
    (9..=9, "s_mov_b64 vcc, s[10:11]\n\ts_cbranch_vccnz 1\n\ts_mov_b32 s20, 1", |a, b, d| {
        (if a | b == 0 { 1 } else { d }, true)
    }),
    (10..=12, "s_mov_b32 vcc_lo, s10\n\ts_cbranch_vccz 1\n\ts_mov_b32 s20, 1", |a, _, d| {
        (if a == 0 { d } else { 1 }, true)
    }),
    (10..=12, "s_mov_b32 vcc_lo, s10\n\ts_cbranch_vccnz 1\n\ts_mov_b32 s20, 1", |a, _, d| {
        (if a == 0 { 1 } else { d }, true)
    }),
    (
        9..=9,
        "s_mov_b64 exec, s[10:11]\n\ts_cbranch_execz 1\n\ts_mov_b32 s20, 1\n\ts_mov_b64 exec, 0xffffffff",
        |a, b, d| (if a | b == 0 { d } else { 1 }, true),
    ),
    (
        10..=12,
        "s_mov_b32 exec_lo, s10\n\ts_cbranch_execz 1\n\ts_mov_b32 s20, 1\n\ts_mov_b32 exec_lo, -1",
        |a, _, d| (if a == 0 { d } else { 1 }, true),
    ),
    (
        10..=12,
        "s_mov_b32 exec_lo, s10\n\ts_cbranch_execnz 1\n\ts_mov_b32 s20, 1\n\ts_mov_b32 exec_lo, -1",
        |a, _, d| (if a == 0 { 1 } else { d }, true),
    ),
    // The target lies 16 bytes behind `s_getpc_b64`, 4 behind what `s_swappc_b64` returns to.
    (
        9..=12,
        "s_getpc_b64 s[14:15]\n\ts_add_u32 s14, s14, 16\n\ts_addc_u32 s15, s15, 0\n\ts_swappc_b64 s[16:17], s[14:15]\n\ts_mov_b32 s14, s11\n\ts_sub_u32 s20, s14, s16",
        |_, _, _| (4, false),
    ),
    // Denormal modes written and read back.
    (
        9..=12,
        "s_getreg_b32 s14, hwreg(HW_REG_MODE)\n\ts_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s10\n\ts_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 4)\n\ts_setreg_b32 hwreg(HW_REG_MODE), s14",
        |a, _, _| (a as u32 % 16, true),
    ),
    (10..=12, "s_round_mode 0x0\n\ts_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 4)", |_, _, _| (0, true)),
    (11..=11, "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)", |_, _, d| (d, true)),
];

const NOTHING: &[Case] = &[
    (
        9..=9,
        "s_nop 7\n\ts_waitcnt 0\n\ts_setprio 3\n\ts_icache_inv\n\ts_dcache_inv\n\ts_dcache_wb\n\ts_dcache_inv_vol\n\ts_dcache_wb_vol\n\ts_incperflevel 1\n\ts_decperflevel 1\n\ts_wakeup\n\tv_nop\n\tds_nop\n\tbuffer_wbl2",
        |_, _, d| (d, true),
    ),
    (
        10..=10,
        "s_nop 7\n\ts_waitcnt 0\n\ts_waitcnt_vscnt null, 0\n\ts_waitcnt_vmcnt null, 0\n\ts_waitcnt_expcnt null, 0\n\ts_waitcnt_lgkmcnt null, 0\n\ts_waitcnt_depctr 0\n\ts_clause 1\n\tv_nop\n\tv_nop\n\ts_inst_prefetch 1\n\ts_setprio 1\n\ts_gl1_inv\n\tbuffer_gl0_inv\n\tbuffer_gl1_inv\n\ts_version 1\n\tds_nop",
        |_, _, d| (d, true),
    ),
    (
        11..=11,
        "s_delay_alu instid0(VALU_DEP_1)\n\ts_wait_idle\n\ts_wait_event 1\n\ts_set_inst_prefetch_distance 1\n\ts_waitcnt_depctr 0xfffe\n\tbuffer_gl0_inv\n\tbuffer_gl1_inv\n\ts_icache_inv\n\ts_gl1_inv\n\tds_nop",
        |_, _, d| (d, true),
    ),
    (
        12..=12,
        "s_wait_alu 0xfffe\n\ts_wait_loadcnt 0\n\ts_wait_storecnt 0\n\ts_wait_samplecnt 0\n\ts_wait_bvhcnt 0\n\ts_wait_expcnt 0\n\ts_wait_dscnt 0\n\ts_wait_kmcnt 0\n\ts_wait_loadcnt_dscnt 0\n\ts_wait_storecnt_dscnt 0\n\tglobal_inv scope:SCOPE_DEV\n\tglobal_wb scope:SCOPE_SYS\n\tglobal_wbinv scope:SCOPE_SYS\n\ts_prefetch_inst s[10:11], 0, s12, 1\n\ts_prefetch_inst_pc_rel 4, s12, 1\n\ts_prefetch_data s[10:11], 4, s12, 1\n\ts_prefetch_data_pc_rel 4, s12, 1\n\ts_buffer_prefetch_data s[8:11], 4, s12, 1\n\tds_nop",
        |_, _, d| (d, true),
    ),
];

#[test]
fn words() {
    check(WORDS);
}

#[test]
fn pairs() {
    check(PAIRS);
}

#[test]
fn halves_of_gfx12() {
    check(FLOAT);
}

#[test]
fn branches_calls_and_registers() {
    check(CONTROL);
}

#[test]
fn hints_waits_and_caches_change_nothing() {
    check(NOTHING);
}
