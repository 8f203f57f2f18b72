//! Places, clocks, barriers, threads.

use crate::asm::{self, Shape};
use sqtt_sim::{Arg, Launch, Options, run};

/// Each wave traces its hardware ids; they say what the result says.
#[test]
fn hardware_ids_agree_with_the_places() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let read = if generation == 9 {
            "\ts_getreg_b32 m0, hwreg(HW_REG_HW_ID)\n\ts_nop 0\n\ts_ttracedata\n"
        } else {
            "\ts_getreg_b32 m0, hwreg(HW_REG_HW_ID1)\n\ts_nop 3\n\ts_ttracedata\n\
             \ts_getreg_b32 m0, hwreg(HW_REG_HW_ID2)\n\ts_nop 3\n\ts_ttracedata\n\
             \ts_getreg_b32 m0, hwreg(HW_REG_HW_ID1, 8, 2)\n\ts_nop 3\n\ts_ttracedata\n"
        };
        let program = asm::assemble(&clang, target, &asm::kernel(target, generation, Shape::default(), read));
        let launch = Launch::new("k", 40, 256, vec![Arg::Null, Arg::Null]);
        let result = run(&program, &launch, &Options::default()).unwrap();
        for wave in &result.waves {
            let values: Vec<u32> = wave.markers.iter().map(|m| m.value).collect();
            let id = values[0];
            let field = |x: u32, low: u32, bits: u32| x >> low & ((1 << bits) - 1);
            let place = (wave.slot, wave.simd, wave.cu, wave.workgroup_slot);
            let read = if generation == 9 {
                (field(id, 0, 4), field(id, 4, 2), field(id, 8, 4), field(id, 16, 4))
            } else {
                assert_eq!(values[2], wave.simd);
                (field(id, 0, 5), field(id, 8, 2), field(id, 10, 4), field(values[1], 16, 5))
            };
            assert_eq!(read, place, "{target}");
        }
        let count = |f: fn(&sqtt_sim::WaveTrace) -> u32| {
            result.waves[..40].iter().map(f).collect::<std::collections::HashSet<_>>().len()
        };
        assert!(count(|w| w.cu) == 4 && count(|w| w.simd) == 4 && count(|w| w.slot) > 1);
    }
}

/// Split barriers on gfx12: the first arrival is told apart, and nobody passes early.
#[test]
fn barriers_order_waves() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let ds = |text: &str| asm::spell(text, generation);
        let barrier = if generation == 12 {
            "\ts_barrier_signal_isfirst -1\n\ts_cselect_b32 m0, 1, 0\n\ts_ttracedata\n\ts_barrier_wait -1\n"
        } else {
            "\ts_barrier\n"
        };
        // Lane 0 of each wave stores its item; after the barrier every wave reads the last wave's.
        let body = "\tv_lshlrev_b32 v2, 2, v0\n".to_owned()
            + &ds("\tds_store_b32 v2, v0\n")
            + barrier
            + "\tv_mov_b32 v3, 0x3fc\n"
            + &ds("\tds_load_b32 v4, v3\n")
            + "\tv_readfirstlane_b32 s20, v4\n\ts_mov_b32 m0, s20\n\ts_ttracedata\n";
        let shape = Shape { lds: 1024, ..Shape::default() };
        let program = asm::assemble(&clang, target, &asm::kernel(target, generation, shape, &body));
        let result = asm::launch(&program, 256, vec![Arg::Null, Arg::Null]).unwrap();
        let last = |w: &sqtt_sim::WaveTrace| w.markers.last().unwrap().value;
        assert!(result.waves.iter().all(|w| last(w) == 255), "{target}");
        if generation == 12 {
            let first: Vec<u32> = result.waves.iter().map(|w| w.markers[0].value).collect();
            assert_eq!(first, [1, 0, 0, 0, 0, 0, 0, 0]);
        }
        // Nobody leaves the barrier before the last one arrives.
        let times: Vec<u64> = result.waves.iter().map(|w| w.markers.last().unwrap().time).collect();
        assert!(times.windows(2).all(|t| t[0].abs_diff(t[1]) < 200), "{times:?}");
    }
}

#[test]
fn clocks_advance_and_agree_with_marker_times() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let clock = match generation {
            9 => "s_memtime s[10:11]\n\ts_mov_b32 m0, s10",
            10 => "s_getreg_b32 m0, hwreg(29)",
            11 => "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES)",
            _ => "s_getreg_b32 m0, hwreg(HW_REG_SHADER_CYCLES_LO)",
        };
        let body = format!("\t{clock}\n\ts_ttracedata\n\ts_sleep 3\n\t{clock}\n\ts_ttracedata\n");
        let program =
            asm::assemble(&clang, target, &asm::kernel(target, generation, Shape::default(), &body));
        let result = asm::launch(&program, 32, vec![Arg::Null, Arg::Null]).unwrap();
        let m = &result.waves[0].markers;
        assert!(
            u64::from(m[0].value) <= m[0].time && m[0].time <= u64::from(m[0].value) + 50,
            "{target} {m:?}"
        );
        assert!(m[1].value - m[0].value >= 192, "{target} {m:?}");
        assert_eq!(u64::from(m[1].value - m[0].value), m[1].time - m[0].time);
    }
}

/// The constant-rate clocks tick once in 16 cycles; `s_sleep_var` sleeps 64 cycles for each count.
#[test]
fn slow_clocks_sleep_and_immediate_markers() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let clock = match generation {
            9 | 10 => "s_memrealtime s[10:11]",
            _ => "s_sendmsg_rtn_b64 s[10:11], sendmsg(MSG_RTN_GET_REALTIME)",
        };
        let sleep = if generation == 12 { "s_mov_b32 s12, 0x85\n\ts_sleep_var s12" } else { "s_sleep 5" };
        let immediate = if generation >= 10 { "\ts_ttracedata_imm 0xa5\n" } else { "" };
        let body = format!(
            "\t{sleep}\n\t{clock}\n\ts_mov_b32 m0, s10\n\ts_nop 3\n\ts_ttracedata\n\t{sleep}\n\t{clock}\n\
             \ts_mov_b32 m0, s10\n\ts_nop 3\n\ts_ttracedata\n{immediate}"
        );
        let program =
            asm::assemble(&clang, target, &asm::kernel(target, generation, Shape::default(), &body));
        let result = asm::launch(&program, 32, vec![Arg::Null, Arg::Null]).unwrap();
        let m = &result.waves[0].markers;
        // Read at the start of an instruction of 40 cycles, two short ones before the marker.
        let lag = 40 + 2 * if generation == 9 { 4 } else { 1 };
        for marker in &m[..2] {
            assert_eq!(u64::from(marker.value), (marker.time - lag) / 16, "{target} {m:?}");
        }
        let between = m[1].time - m[0].time;
        assert!((320..320 + lag + 16).contains(&between), "{target} {m:?}");
        if generation >= 10 {
            assert_eq!((m.len(), m[2].value, m[2].immediate), (3, 0xa5, true), "{target}");
        }
    }
}

/// Returned atomics and read-after-write across workgroups: the order of workgroups, whatever the threads.
#[test]
fn any_number_of_threads_gives_the_same() {
    let clang = asm::clang();
    let body = asm::spell("\ts_load_b128 s[4:7], s[0:1], 0x0\n", 11)
        + "\tv_mov_b32 v1, 1\n\tv_mov_b32 v2, 0\n\tglobal_atomic_add_u32 v3, v2, v1, s[4:5] glc\n\
           \tv_lshl_or_b32 v4, s15, 5, v0\n\tv_lshlrev_b32 v4, 2, v4\n\tglobal_store_b32 v4, v3, s[6:7]\n\
           \tv_readfirstlane_b32 s20, v3\n\ts_mov_b32 m0, s20\n\ts_ttracedata\n";
    let text = asm::kernel("gfx1100", 11, Shape::default(), &body).replace(
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1",
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n\t.amdhsa_user_sgpr_count 15",
    );
    let program = asm::assemble(&clang, "gfx1100", &text);
    let go = |threads| {
        let args = vec![Arg::words(&[0]), Arg::words(&vec![0; 100 * 32])];
        run(&program, &Launch::new("k", 100, 32, args), &Options::default().threads(threads).accesses(true))
            .unwrap()
    };
    let one = go(1);
    assert_eq!(one.buffers[0].words(), [3200]);
    assert_eq!(one.buffers[1].words(), (0..3200).collect::<Vec<u32>>());
    for threads in [2, 3, 8] {
        assert_eq!(go(threads), one, "{threads} threads");
    }
}
