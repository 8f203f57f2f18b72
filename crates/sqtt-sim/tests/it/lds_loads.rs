//! Loads into LDS, and the counters of active lanes.

use crate::asm::{self, LANES, Shape};
use sqtt_sim::Arg;

/// Runs a body on 32 lanes with 1024 bytes of LDS: it finds the source's address in `s[4:5]`, the result's in
/// `s[6:7]`, four times the lane in `v1`.
fn run(target: &str, generation: u8, body: &str, source: &[u32]) -> Result<Vec<u32>, String> {
    let start = "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 2, v0\n";
    let text = asm::spell(&format!("{start}{body}"), generation);
    let shape = Shape { lds: 1024, ..Shape::default() };
    let program = asm::assemble(&asm::clang(), target, &asm::kernel(target, generation, shape, &text));
    let args = vec![Arg::words(source), Arg::words(&[0; 256])];
    let result = asm::launch(&program, LANES as u32, args).map_err(|error| error.to_string())?;
    Ok(result.buffers[1].words())
}

fn source() -> Vec<u32> {
    (0..256u32).map(|k| k.wrapping_mul(0x9e37_79b9) ^ 0x8000_0081).collect()
}

/// Stores LDS words 8 on, those of the lanes, behind each other.
const OUT: &str = "\tds_load_b32 v4, v1 offset:32\n\tglobal_store_b32 v1, v4, s[6:7]\n";

#[test]
fn global_loads_into_lds() {
    let words = source();
    for target in ["gfx942", "gfx950"] {
        // M0 and the offset count for LDS, the offset also for memory; the fourth lane takes no part.
        let body = |load: &str| {
            format!(
                "\ts_mov_b32 m0, 0xfc0018\n\tv_mov_b32 v2, 7\n\tv_sub_u32 v2, v1, v2\n\tv_add_u32 v2, 7, v2\n\
                 \ts_mov_b32 exec_lo, 0xfffffff7\n\tglobal_load_lds_{load} v2, s[4:5] offset:8\n\
                 \ts_mov_b32 exec_lo, -1\n{OUT}"
            )
        };
        for load in ["dword", "ubyte", "sbyte", "ushort", "sshort"] {
            let got = run(target, 9, &body(load), &words).unwrap();
            for lane in 0..32 {
                let word = words[lane + 2];
                let want = match load {
                    _ if lane == 3 => 0,
                    "dword" => word,
                    "ubyte" => word & 0xff,
                    "sbyte" => i32::from(word as u8 as i8) as u32,
                    "ushort" => word & 0xffff,
                    _ => i32::from(word as u16 as i16) as u32,
                };
                assert_eq!(got[lane], want, "{target} {load} lane {lane}");
            }
        }
    }
}

#[test]
fn wide_loads_into_lds() {
    let words = source();
    let body = "\ts_mov_b32 m0, 32\n\tv_lshlrev_b32 v2, 2, v1\n\tv_mov_b32 v3, 0\n\tv_mov_b32 v5, s5\n\
                \tv_add_co_u32 v2, vcc, s4, v2\n\tv_addc_co_u32 v3, vcc, 0, v5, vcc\n\
                \tglobal_load_lds_dwordx4 v[2:3], off\n";
    let got = run("gfx950", 9, &format!("{body}{OUT}"), &words).unwrap();
    assert_eq!(got[..32], words[..32]);
}

#[test]
fn buffer_loads_into_lds() {
    let words = source();
    for target in [("gfx90a", 9), ("gfx942", 9), ("gfx1030", 10)] {
        // 40 bytes from byte 8 on are in the buffer: lanes behind it write zeros.
        let last = if target.1 == 10 { "0x31016fac" } else { "0x27000" };
        let body = format!(
            "\ts_mov_b32 s8, s4\n\ts_mov_b32 s9, s5\n\ts_mov_b32 s10, 48\n\ts_mov_b32 s11, {last}\n\ts_mov_b32 m0, 24\n\
             \tv_mov_b32 v2, -1\n\tds_store_b32 v1, v2 offset:32\n\
             \tbuffer_load_dword v1, s[8:11], 0 offen offset:8 lds\n{OUT}"
        );
        let got = run(target.0, target.1, &body, &words).unwrap();
        for lane in 0..32 {
            assert_eq!(got[lane], if lane < 10 { words[lane + 2] } else { 0 }, "{} lane {lane}", target.0);
        }
    }
}

#[test]
fn loads_outside_of_lds_are_refused() {
    let body = "\ts_mov_b32 m0, 0x400\n\tglobal_load_lds_dword v1, s[4:5]\n";
    let error = run("gfx942", 9, body, &source()).unwrap_err();
    assert!(error.contains("outside the workgroup's 1024 bytes of LDS"), "{error}");
}

#[test]
fn counters_of_active_lanes() {
    for (target, generation) in
        [("gfx90a", 9), ("gfx950", 9), ("gfx1030", 10), ("gfx1100", 11), ("gfx1200", 12)]
    {
        let body = "\ts_mov_b32 m0, 0xff0020\n\tv_mov_b32 v2, 40\n\tv_mov_b32 v3, 0x64\n\tds_store_b32 v2, v3\n\
             \ts_mov_b32 exec_lo, 0xf0f0\n\tv_mov_b32 v5, 0\n\tds_append v5 offset:8\n\ts_mov_b32 exec_lo, 0x8001\n\
             \tds_consume v6 offset:8\n\ts_mov_b32 exec_lo, -1\n\tds_load_b32 v7, v2\n\
             \tglobal_store_b32 v1, v5, s[6:7]\n\tglobal_store_b32 v1, v6, s[6:7] offset:128\n\
             \tglobal_store_b32 v1, v7, s[6:7] offset:256\n";
        // gfx12 has no base in M0.
        let body = if generation == 12 { body.replace("offset:8\n", "offset:40\n") } else { body.to_owned() };
        let got = run(target, generation, &body, &[0; 64]).unwrap();
        for lane in 0..32 {
            let counted = if 0xf0f0 >> lane & 1 == 1 { 0x64 } else { 0 };
            assert_eq!(got[lane], counted, "{target} append lane {lane}");
            let consumed = if 0x8001 >> lane & 1 == 1 { 0x64 + 8 } else { 0 };
            assert_eq!(got[32 + lane], consumed, "{target} consume lane {lane}");
            assert_eq!(got[64 + lane], 0x64 + 8 - 2, "{target} left");
        }
    }
}

/// Four rows of sixteen halves, which 16 lanes read, become sixteen rows of four.
#[test]
fn transposing_loads() {
    let words = source();
    let body = "\ts_mov_b32 exec_hi, -1\n\tv_lshlrev_b32 v2, 1, v1\n\tglobal_load_b64 v[4:5], v2, s[4:5]\n\t\
                ds_store_b64 v2, v[4:5]\n\tds_read_b64_tr_b16 v[6:7], v2\n\ts_mov_b32 exec_hi, 0\n\t\
                global_store_b64 v2, v[6:7], s[6:7]\n";
    let got = run("gfx950", 9, body, &words).unwrap();
    let half = |words: &[u32], at: usize| words[at / 2] >> (at % 2 * 16) & 0xffff;
    for group in 0..2 {
        for (row, column) in (0..4).flat_map(|row| (0..16).map(move |column| (row, column))) {
            // Four lanes of four halves each hold a row.
            let from = half(&words, 64 * group + 16 * row + column);
            assert_eq!(
                half(&got, 64 * group + 4 * column + row),
                from,
                "group {group} row {row} column {column}"
            );
        }
    }
    let error = run("gfx950", 9, "\tds_read_b64_tr_b16 v[6:7], v1\n", &words).unwrap_err();
    assert!(error.contains("inactive lanes"), "{error}");
}
