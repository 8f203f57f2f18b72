//! Kernels that do not come to their end: what they did up to there, and the trace of it.

use crate::asm::{self, Shape};
use sqtt_sim::{Fault, Launch, Options, Outcome, Program, RunResult, SimError, run, run_as_far_as_possible};

/// A word that the wave traces.
fn trace(word: u32) -> String {
    format!("\ts_mov_b32 m0, {word}\n\ts_nop 0\n\ts_ttracedata\n")
}

/// Runs `body` with one workgroup of four waves; its trace has to say what the run did.
fn stopped(clang: &str, (target, generation): (&str, u8), body: &str) -> (RunResult, Fault, u32) {
    let shape = Shape { args: 0, ..Shape::default() };
    let bytes = asm::code_object(clang, target, &asm::kernel(target, generation, shape, body));
    let program = Program::load(&bytes).unwrap();
    let launch = Launch::new("k", 1, if generation == 9 { 256 } else { 128 }, Vec::new());
    let options = Options::default().max_steps(10_000);
    let Outcome { result, stopped, .. } = run_as_far_as_possible(&program, &launch, &options).unwrap();
    let Some(SimError::Execution(error)) = stopped else { panic!("{target}: {stopped:?}") };
    assert_eq!(run(&program, &launch, &options).unwrap_err().to_string(), error.to_string());
    crate::trace::round_trip(&bytes, &program, "k", &result);
    (result, error.cause, error.wave)
}

/// The number of the wave in its workgroup, in `s8`.
fn wave_number(generation: u8) -> String {
    let shift = if generation == 9 { 6 } else { 5 };
    format!("\tv_readfirstlane_b32 s8, v0\n\ts_lshr_b32 s8, s8, {shift}\n")
}

/// `(word, time)` of every marker of a wave.
fn markers(result: &RunResult, wave: usize) -> Vec<(u32, u64)> {
    result.waves[wave].markers.iter().map(|marker| (marker.value, marker.time)).collect()
}

#[test]
fn waves_that_wait_or_loop_are_alive_and_those_that_ended_are_not() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let barrier =
            if generation == 12 { "\ts_barrier_signal -1\n\ts_barrier_wait -1\n" } else { "\ts_barrier\n" };
        let skip = format!(
            "{}{}\ts_cmp_eq_u32 s8, 3\n\ts_cbranch_scc1 .Lskip\n{barrier}{}\ts_branch .Lend_of_it\n",
            trace(6),
            wave_number(generation),
            trace(1)
        );
        // The last wave leaves.
        let leaves = format!("{skip}.Lskip:\n{}.Lend_of_it:\n", trace(4));
        let (result, cause, _) = stopped(&clang, (target, generation), &leaves);
        assert!(matches!(cause, Fault::BarrierDeadlock(_)), "{target}: {cause}");
        let ended: Vec<bool> = result.waves.iter().map(|wave| wave.end.is_some()).collect();
        assert_eq!(ended, [false, false, false, true], "{target}");
        let words = |wave| markers(&result, wave).iter().map(|(word, _)| *word).collect::<Vec<_>>();
        assert_eq!((words(0), words(3)), (vec![6], vec![6, 4]), "{target}");
        // The last wave loops.
        let loops = format!("{skip}.Lskip:\n{}.Lloop:\n\ts_branch .Lloop\n.Lend_of_it:\n", trace(4));
        let (result, cause, wave) = stopped(&clang, (target, generation), &loops);
        assert_eq!((cause, wave), (Fault::StepLimit(10_000), 3), "{target}");
        assert!(result.waves.iter().all(|wave| wave.end.is_none()), "{target}");
        assert_eq!(markers(&result, 3).len(), 2, "{target}");
        assert!(result.cycles > 9000, "{target}: {}", result.cycles);
    }
}

/// Wave 1 faults. Waves take turns of 64 instructions, so wave 0 is further by then, and waves 2 and 3 did nothing.
#[test]
fn a_fault_stops_all_waves_at_its_time() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let load = if generation < 11 { "s_load_dword" } else { "s_load_b32" };
        let body = format!(
            "{}{}{}\ts_cmp_eq_u32 s8, 1\n\ts_cbranch_scc1 .Lfault\n{}\ts_branch .Lend_of_it\n\
             .Lfault:\n\ts_nop 0\n\ts_nop 0\n\ts_nop 0\n\ts_nop 0\n\t{load} s4, s[0:1], 0x40\n.Lend_of_it:\n",
            trace(6),
            wave_number(generation),
            trace(10),
            trace(4).repeat(10)
        );
        let (result, cause, wave) = stopped(&clang, (target, generation), &body);
        assert!(matches!(cause, Fault::Access { .. }) && wave == 1, "{target}: {cause}");
        assert!(result.waves.iter().all(|wave| wave.end.is_none()), "{target}");
        assert_eq!(
            markers(&result, 1).iter().map(|(word, _)| *word).collect::<Vec<_>>(),
            [6, 10],
            "{target}"
        );
        let other = markers(&result, 0);
        assert!((3..6).contains(&other.len()), "{target}: {other:?}");
        assert!(other.iter().all(|&(_, time)| time <= result.cycles), "{target}: {other:?}");
        assert_eq!((&markers(&result, 2), &markers(&result, 3)), (&other, &other), "{target}");
    }
}

/// Workgroup 5 of 40 faults, behind workgroups that would still run then: it and those before it are there.
#[test]
fn workgroups_behind_one_that_faults_are_not_there() {
    let clang = asm::clang();
    let body = format!(
        "{}\ts_cmp_eq_u32 s15, 5\n\ts_cbranch_scc1 .Lfault\n{}\ts_branch .Lend_of_it\n\
         .Lfault:\n\ts_load_b32 s4, s[0:1], 0x40\n.Lend_of_it:\n",
        trace(6),
        trace(4).repeat(50)
    );
    let text = asm::kernel("gfx1100", 11, Shape { args: 0, ..Shape::default() }, &body).replace(
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1",
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_user_sgpr_count 15",
    );
    let bytes = asm::code_object(&clang, "gfx1100", &text);
    let program = Program::load(&bytes).unwrap();
    let go = |threads| {
        let options = Options::default().threads(threads);
        let outcome =
            run_as_far_as_possible(&program, &Launch::new("k", 40, 32, Vec::new()), &options).unwrap();
        assert!(outcome.stopped.unwrap().to_string().contains("workgroup 5,0,0, wave 0"));
        outcome.result
    };
    let one = go(1);
    let numbers: Vec<u64> = one.waves.iter().map(|wave| wave.workgroup_number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    // One starts 16 cycles after the one before; they were cut off at one time.
    assert!(one.waves.iter().all(|wave| wave.end.is_none()));
    let counts: Vec<usize> = one.waves.iter().map(|wave| wave.markers.len()).collect();
    assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
    crate::trace::round_trip(&bytes, &program, "k", &one);
    for threads in [2, 3, 8] {
        assert_eq!(go(threads), one, "{threads} threads");
    }
}

#[test]
fn with_too_many_records_none_is_kept_and_the_kernel_runs_to_its_end() {
    let (target, generation) = asm::TARGETS[0];
    let shape = Shape { args: 0, ..Shape::default() };
    let source = asm::kernel(target, generation, shape, &[trace(6), trace(10)].concat());
    let program = Program::load(&asm::code_object(&asm::clang(), target, &source)).unwrap();
    let launch = Launch::new("k", 100, 256, Vec::new());
    let ran = |records, threads| {
        let options = Options::default().threads(threads).max_records(records);
        run(&program, &launch, &options).unwrap()
    };
    let wave = if generation == 9 { 64 } else { 32 };
    let records = 2 * 100 * 256 / wave;
    for threads in [1, 2] {
        let all = ran(records, threads);
        assert!(!all.too_many_records);
        assert_eq!(all.waves.iter().map(|wave| wave.markers.len() as u64).sum::<u64>(), records);
        for fewer in [records - 1, records / 2, 0] {
            let none = ran(fewer, threads);
            assert!(none.too_many_records && none.waves.is_empty());
            assert_eq!((none.instructions, none.cycles), (all.instructions, all.cycles));
        }
    }
}
