//! Scalar instructions without a result: control, and those that do nothing here.

use super::*;

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
fn branches_calls_and_registers() {
    check(CONTROL);
}

#[test]
fn hints_waits_and_caches_change_nothing() {
    check(NOTHING);
}
