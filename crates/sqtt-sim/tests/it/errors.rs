//! Every way to fail says where and why.

use crate::asm::{self, Shape};
use sqtt_sim::{Arg, ExecutionError, Fault, Launch, Options, Program, SimError, run};

fn failure(target: &str, generation: u8, shape: Shape, block: u32, body: &str) -> ExecutionError {
    let clang = asm::clang();
    let program = asm::assemble(&clang, target, &asm::kernel(target, generation, shape, body));
    let args = (0..shape.args).map(|_| Arg::words(&[0; 16])).collect();
    let launch = Launch::new("k", 1, block, args);
    let options = Options::default().max_steps(10_000).threads(1);
    match run(&program, &launch, &options) {
        Err(SimError::Execution(error)) => *error,
        other => panic!("expected an execution error, got {other:?}"),
    }
}

#[test]
fn unknown_instructions_and_forms() {
    let cases = [
        ("gfx950", 9, "v_mfma_ld_scale_b32 v1, v2"),
        ("gfx942", 9, "ds_gws_init v0 gds"),
        ("gfx1100", 11, "s_sethalt 1"),
        ("gfx1100", 11, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3"),
        ("gfx1200", 12, "s_barrier_signal 3"),
        ("gfx1030", 10, "v_fma_legacy_f32 v1, v2, v3, v4"),
        ("gfx1100", 11, "v_cvt_pk_i16_f32 v1, v2, v3"),
        ("gfx1100", 11, "s_rfe_b64 s[4:5]"),
        ("gfx90a", 9, "global_load_short_d16_hi v1, v2, s[4:5]"),
        ("gfx942", 9, "ds_read_u8_d16 v1, v2"),
    ];
    for (target, generation, text) in cases {
        let body = format!("\ts_nop 0\n\t{text}\n");
        let error = failure(target, generation, Shape::default(), 32, &body);
        assert!(matches!(error.cause, Fault::UnknownInstruction(_)), "{error}");
        assert!(error.line.starts_with(text.split(' ').next().unwrap()), "{error}");
        assert!(error.kernel == "k" && error.workgroup == [0; 3] && error.wave == 0 && error.pc > 0);
    }
}

#[test]
fn accesses_outside_every_buffer() {
    let cases = [
        (
            "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_mov_b32 v1, 64\n\tglobal_load_b32 v2, v1, s[4:5]\n",
            "global load",
            "offset 64 of buffer argument 0 (64 bytes)",
        ),
        (
            "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_mov_b32 v1, 61\n\tglobal_store_b32 v1, v1, s[4:5]\n",
            "global store",
            "offset 61 of buffer argument 0",
        ),
        (
            "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_mov_b32 v1, 0\n\tglobal_load_b32 v2, v1, s[4:5] offset:-4\n",
            "global load",
            "4 bytes before buffer argument 0",
        ),
        (
            "\tv_mov_b32 v1, 0\n\tv_mov_b32 v2, 0\n\tflat_load_b32 v2, v[1:2]\n",
            "flat load",
            "outside every buffer",
        ),
        (
            "\tv_mov_b32 v1, 0\n\tglobal_store_b32 v1, v1, s[0:1]\n",
            "global store",
            "the kernarg segment is read-only",
        ),
        ("\ts_load_b32 s4, s[0:1], 0x40\n", "scalar load", "offset 64 of the kernarg segment"),
        ("\tv_mov_b32 v1, 8\n\tds_store_b32 v1, v1\n", "lds store", "8 bytes of LDS"),
        ("\tscratch_store_b32 off, v0, off offset:16\n", "scratch store", "16 bytes of scratch"),
    ];
    for (body, kind, reason) in cases {
        let shape = Shape { lds: 8, private: 16, ..Shape::default() };
        let error = failure("gfx1100", 11, shape, 64, body);
        let text = error.to_string();
        assert!(text.contains(kind) && text.contains(reason), "{text}");
        let Fault::Access { lane, .. } = error.cause else { panic!("{text}") };
        assert_eq!(lane, (kind != "scalar load").then_some(0));
    }
}

#[test]
fn barriers_that_waves_never_reach() {
    // Waves with an even first item leave before the barrier.
    let body =
        "\tv_readfirstlane_b32 s4, v0\n\ts_bitcmp1_b32 s4, 5\n\ts_cbranch_scc0 .Lout\n\ts_barrier\n.Lout:\n";
    let error = failure("gfx1100", 11, Shape::default(), 128, body);
    assert!(
        matches!(&error.cause, Fault::BarrierDeadlock(why) if why.contains("1, 3 wait") && why.contains("0, 2 ended")),
        "{error}"
    );
    assert_eq!((error.wave, error.line.as_str()), (1, "s_barrier"));
    let split = body.replace("s_barrier\n", "s_barrier_signal -1\n\ts_barrier_wait -1\n");
    let error = failure("gfx1200", 12, Shape::default(), 128, &split);
    assert!(matches!(error.cause, Fault::BarrierDeadlock(_)), "{error}");
    // The hardware lets the survivors pass; that is an option.
    let clang = asm::clang();
    let program = asm::assemble(&clang, "gfx1100", &asm::kernel("gfx1100", 11, Shape::default(), body));
    let launch = Launch::new("k", 1, 128, vec![Arg::Null, Arg::Null]);
    let options = Options::default().ended_waves_pass_barriers(true);
    assert!(run(&program, &launch, &options).is_ok());
}

#[test]
fn endless_loops_meet_the_step_limit() {
    let error = failure("gfx1030", 10, Shape::default(), 32, ".Lx:\n\ts_branch .Lx\n");
    assert_eq!(error.cause, Fault::StepLimit(10_000));
    assert!(error.line.starts_with("s_branch"), "{error}");
}

#[test]
fn jumps_into_nowhere_and_traps() {
    let body = "\ts_mov_b64 s[4:5], 0x1234\n\ts_setpc_b64 s[4:5]\n";
    let error = failure("gfx1100", 11, Shape::default(), 32, body);
    assert!(matches!(error.cause, Fault::BadPc(_)), "{error}");
    let error = failure("gfx90a", 9, Shape::default(), 32, "\ts_trap 2\n");
    assert_eq!(error.cause, Fault::Trap(2));
}

#[test]
fn launches_that_do_not_fit() {
    let clang = asm::clang();
    let program = asm::assemble(&clang, "gfx1100", &asm::kernel("gfx1100", 11, Shape::default(), ""));
    let text = |launch: &Launch| run(&program, launch, &Options::default()).unwrap_err().to_string();
    let args = || vec![Arg::Null, Arg::Null];
    let good = Launch::new("k", 1, 32, args());
    for (launch, reason) in [
        (Launch::new("x", 1, 32, args()), "no kernel `x`; this code object has k"),
        (Launch::new("k", 1, 512, args()), "1 to 256"),
        (Launch::new("k", 1, 0, args()), "1 to 256"),
        (Launch::over("k", [u32::MAX; 3], [32, 1, 1], args()), "grid"),
        (Launch::new("k", 1, 32, vec![Arg::Null]), "1 arguments given, the kernel takes 2"),
        (Launch::new("k", 1, 32, vec![Arg::u32(1), Arg::Null]), "8 bytes, 4 bytes given"),
        (good.clone().dynamic_lds(u32::MAX), "LDS"),
    ] {
        assert!(text(&launch).contains(reason), "{reason}");
    }
    // Descriptors that ask for what is not simulated.
    for (line, reason) in [
        (".amdhsa_float_round_mode_32 3", "rounding"),
        (".amdhsa_fp16_overflow 1", "overflow"),
        (".amdhsa_system_sgpr_workgroup_info 1", "workgroup-info"),
    ] {
        let plain = asm::kernel("gfx1100", 11, Shape::default(), "");
        let odd =
            plain.replace(".amdhsa_wavefront_size32 1", &format!(".amdhsa_wavefront_size32 1\n\t{line}"));
        let program = asm::assemble(&clang, "gfx1100", &odd);
        let error = run(&program, &good, &Options::default()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// Broken code objects are refused, never a panic.
#[test]
#[ignore = "it reads the shared test data"]
fn broken_files_are_refused() {
    for bytes in [&b""[..], b"\x7fELF", &[0; 64]] {
        assert!(matches!(Program::load(bytes), Err(SimError::CodeObject(_))));
    }
    let folder = test_data::unpack("sim-corpus.tgz");
    let good = std::fs::read(folder.path().join("sim-corpus/k000.gfx1100.co")).unwrap();
    let mut refused = 0;
    for cut in (64..good.len()).step_by(good.len() / 20) {
        refused += usize::from(Program::load(&good[..cut]).is_err());
    }
    assert!(refused > 10);
    // Headers, notes and code with a byte changed: whatever they now say, no panic and an end.
    let step = std::env::var("SQTT_SIM_FLIP_STEP").ok().and_then(|s| s.parse().ok()).unwrap_or(61);
    for name in ["k000.gfx1100.co", "k007.gfx942.co"] {
        let good = std::fs::read(folder.path().join("sim-corpus").join(name)).unwrap();
        for at in (0..good.len().min(0xe00)).step_by(step) {
            let mut bad = good.clone();
            bad[at] = bad[at].wrapping_mul(5).wrapping_add(0xa5);
            if let Ok(program) = Program::load(&bad)
                && program.kernels().iter().any(|k| k.name == "kern")
            {
                let args = vec![Arg::words(&[1; 256]), Arg::words(&[0; 256]), Arg::u32(5)];
                let options = Options::default().max_steps(20_000);
                let _ = run(&program, &Launch::new("kern", 2, 128, args), &options);
            }
        }
    }
}
