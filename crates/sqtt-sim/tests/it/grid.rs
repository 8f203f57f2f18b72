//! Barriers of the whole grid.

use crate::asm::{self, Shape};
use sqtt_sim::{Arg, Launch, Options, RunResult, SimError, run};

/// Workgroups write a word each, meet, add up all words, meet again and write the sum over their own word.
fn meet(target: &str, generation: u8, others: u32, cooperative: bool) -> Result<RunResult, SimError> {
    let add = if generation == 9 { "v_add_u32" } else { "v_add_nc_u32" };
    let body = format!(
        "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_mov_b32 v1, s2\n\tv_lshlrev_b32 v2, 2, v1\n\t{add} v3, 0x64, v1\n\
         \tglobal_store_b32 v2, v3, s[6:7]\n\tv_mov_b32 v4, {others}\n\ts_mov_b32 m0, 0\n\tds_gws_barrier v4 gds\n\
         \tv_mov_b32 v5, 0\n\tglobal_load_b32 v6, v5, s[6:7]\n\tglobal_load_b32 v7, v5, s[6:7] offset:4\n\
         \tglobal_load_b32 v8, v5, s[6:7] offset:8\n\ts_waitcnt vmcnt(0)\n\t{add} v6, v6, v7\n\t{add} v6, v6, v8\n\
         \tds_gws_barrier v4 gds\n\tglobal_store_b32 v2, v6, s[6:7]\n"
    );
    let text = asm::kernel(target, generation, Shape::default(), &asm::spell(&body, generation));
    let program = asm::assemble(&asm::clang(), target, &text);
    let launch = Launch::new("k", 3, 32, vec![Arg::words(&[0]), Arg::words(&[0; 3])]);
    run(&program, &launch.cooperative(cooperative), &Options::default().max_steps(1 << 16))
}

#[test]
fn workgroups_of_a_cooperative_dispatch_meet() {
    for (target, generation) in [("gfx90a", 9), ("gfx942", 9), ("gfx1030", 10), ("gfx1100", 11)] {
        let result = meet(target, generation, 2, true).unwrap();
        assert_eq!(result.buffers[1].words(), [303; 3], "{target}");
    }
}

#[test]
fn a_barrier_that_waits_for_more_than_there_are_never_completes() {
    let error = meet("gfx942", 9, 3, true).unwrap_err().to_string();
    assert!(error.contains("wave(s) 0 wait"), "{error}");
}

#[test]
fn workgroups_that_run_one_after_another_cannot_meet() {
    let error = meet("gfx942", 9, 2, false).unwrap_err().to_string();
    assert!(error.contains("outside of a cooperative dispatch"), "{error}");
}
