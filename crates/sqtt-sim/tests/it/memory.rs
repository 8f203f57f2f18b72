//! LDS, scratch, global and buffer instructions; atomics with their returned value.

use crate::asm::{self, LANES};

type Expect = fn(&[u32; 8], usize) -> [u32; 2];
type Case = (std::ops::RangeInclusive<u8>, &'static str, Expect);

fn inputs() -> [[u32; 8]; LANES] {
    const EDGES: [u32; 8] = [0, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x3f80_0000, 0x8081_8283];
    std::array::from_fn(|l| {
        std::array::from_fn(|k| EDGES[(l * (k + 1) + l / 8 + k) % 8].wrapping_add((k as u32) & 4))
    })
}

/// `v2` addresses 8 bytes of LDS of the lane's own, holding `v10` and `v14`.
macro_rules! lds {
    ($text:literal) => {
        concat!("v_lshlrev_b32 v2, 3, v0\n\tds_store_b32 v2, v10\n\tds_store_b32 v2, v14 offset:4\n\t", $text)
    };
}

/// `v1` addresses 8 bytes of the output of the lane's own, holding `v10`.
macro_rules! global {
    ($text:literal) => {
        concat!("global_store_b32 v1, v10, s[6:7]\n\t", $text, "\n\tglobal_load_b32 v21, v1, s[6:7]")
    };
}

fn f(x: u32) -> f32 {
    f32::from_bits(x)
}

const CASES: &[Case] = &[
    (9..=12, lds!("ds_add_rtn_u32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], i[0].wrapping_add(i[1])]
    }),
    (9..=12, lds!("ds_add_u32 v2, v11\n\tds_load_b32 v21, v2\n\tds_load_b32 v20, v2 offset:4"), |i, _| {
        [i[4], i[0].wrapping_add(i[1])]
    }),
    (9..=12, lds!("ds_inc_rtn_u32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], if i[0] >= i[1] { 0 } else { i[0] + 1 }]
    }),
    (9..=12, lds!("ds_dec_rtn_u32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], if i[0] == 0 || i[0] > i[1] { i[1] } else { i[0] - 1 }]
    }),
    (9..=12, lds!("ds_min_rtn_i32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], (i[0] as i32).min(i[1] as i32) as u32]
    }),
    (9..=12, lds!("ds_rsub_rtn_u32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], i[1].wrapping_sub(i[0])]
    }),
    (9..=10, lds!("ds_cmpst_rtn_b32 v20, v2, v11, v12\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], if i[0] == i[1] { i[2] } else { i[0] }]
    }),
    (11..=12, lds!("ds_cmpstore_rtn_b32 v20, v2, v12, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], if i[0] == i[1] { i[2] } else { i[0] }]
    }),
    (9..=12, lds!("ds_add_rtn_f32 v20, v2, v11\n\tds_load_b32 v21, v2"), |i, _| {
        [i[0], (f(i[0]) + f(i[1])).to_bits()]
    }),
    (9..=12, lds!("ds_add_rtn_u64 v[20:21], v2, v[12:13]\n\tds_load_b64 v[20:21], v2"), |i, _| {
        let q = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        let r = q(i[0], i[4]).wrapping_add(q(i[2], i[3]));
        [r as u32, (r >> 32) as u32]
    }),
    (
        9..=10,
        lds!("ds_write2_b32 v2, v11, v12 offset0:1 offset1:0\n\tds_read2_b32 v[20:21], v2 offset1:1"),
        |i, _| [i[2], i[1]],
    ),
    (
        11..=12,
        lds!("ds_store_2addr_b32 v2, v11, v12 offset0:1\n\tds_load_2addr_b32 v[20:21], v2 offset1:1"),
        |i, _| [i[2], i[1]],
    ),
    (9..=10, lds!("ds_read_i8 v20, v2 offset:3\n\tds_read_u16 v21, v2 offset:2"), |i, _| {
        [(i[0] >> 24) as u8 as i8 as u32, i[0] >> 16]
    }),
    (
        11..=12,
        lds!("ds_store_b8 v2, v11 offset:1\n\tds_load_i16 v20, v2\n\tds_load_u16_d16_hi v21, v2"),
        |i, _| {
            let h = i[0] & 0xff | (i[1] & 0xff) << 8;
            [h as u16 as i16 as u32, h << 16 | 0x55aa]
        },
    ),
    // Through the LDS aperture.
    (
        9..=10,
        lds!("s_mov_b64 s[10:11], src_shared_base\n\tv_mov_b32 v3, s11\n\tflat_load_dword v20, v[2:3]"),
        |i, _| [i[0], 0x55aa_55aa],
    ),
    (
        11..=12,
        lds!("s_mov_b64 s[10:11], src_shared_base\n\tv_mov_b32 v3, s11\n\tflat_load_b32 v20, v[2:3]"),
        |i, _| [i[0], 0x55aa_55aa],
    ),
    (9..=10, global!("global_atomic_umax v20, v1, v11, s[6:7] glc"), |i, _| [i[0], i[0].max(i[1])]),
    (11..=11, global!("global_atomic_max_u32 v20, v1, v11, s[6:7] glc"), |i, _| [i[0], i[0].max(i[1])]),
    (12..=12, global!("global_atomic_max_i32 v20, v1, v11, s[6:7] th:TH_ATOMIC_RETURN"), |i, _| {
        [i[0], (i[0] as i32).max(i[1] as i32) as u32]
    }),
    (12..=12, global!("global_atomic_sub_clamp_u32 v20, v1, v11, s[6:7] th:TH_ATOMIC_RETURN"), |i, _| {
        [i[0], i[0].saturating_sub(i[1])]
    }),
    (9..=10, global!("global_atomic_cmpswap v20, v1, v[12:13], s[6:7] glc"), |i, _| {
        [i[0], if i[0] == i[3] { i[2] } else { i[0] }]
    }),
    (11..=11, global!("global_atomic_cmpswap_b32 v20, v1, v[12:13], s[6:7] glc"), |i, _| {
        [i[0], if i[0] == i[3] { i[2] } else { i[0] }]
    }),
    (11..=12, global!("global_atomic_add_f32 v1, v11, s[6:7]"), |i, _| {
        [0x55aa_55aa, (f(i[0]) + f(i[1])).to_bits()]
    }),
    (
        11..=12,
        "scratch_store_b32 off, v10, off offset:8\n\tv_mov_b32 v2, 4\n\tscratch_load_b32 v20, v2, off offset:4",
        |i, _| [i[0], 0x55aa_55aa],
    ),
];

#[test]
fn memory_instructions_and_atomics() {
    let clang = asm::clang();
    let inputs = inputs();
    let mut failures = Vec::new();
    for (target, generation) in asm::TARGETS {
        let cases: Vec<&Case> = CASES.iter().filter(|c| c.0.contains(&generation)).collect();
        // gfx942 and later name the returning form differently.
        let renames = matches!(target, "gfx942" | "gfx950");
        let name = |text: &str| if renames { text.replace(" glc", " sc0") } else { text.to_owned() };
        let texts: Vec<String> = cases.iter().map(|c| name(c.1)).collect();
        let results = asm::run_cases(&clang, (target, generation), &inputs, &texts);
        for (case, lanes) in cases.iter().zip(&results) {
            for (l, got) in lanes.iter().enumerate() {
                let want = (case.2)(&inputs[l], l);
                let nan = f(got[1]).is_nan() && f(want[1]).is_nan() && case.1.contains("f32");
                if *got != want && !(nan && got[0] == want[0]) {
                    failures.push(format!("{target} `{}` lane {l}: {got:x?}, expected {want:x?}", case.1));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Raw buffers: reads beyond the range give zero, writes beyond it are dropped.
#[test]
fn buffers_check_their_bounds() {
    let clang = asm::clang();
    for (target, generation) in asm::TARGETS {
        let word3 = match generation {
            9 => 0x0002_7000u32,
            10 | 11 => 0x3101_4000,
            _ => 0x3001_4000,
        };
        let (load, store, zero) = match generation {
            9 | 10 => ("buffer_load_dword", "buffer_store_dword", "0"),
            11 => ("buffer_load_b32", "buffer_store_b32", "0"),
            _ => ("buffer_load_b32", "buffer_store_b32", "null"),
        };
        let body = asm::spell(asm::prologue(), generation)
            + &format!(
                "\ts_mov_b32 s8, s6\n\ts_mov_b32 s9, s7\n\ts_mov_b32 s10, 40\n\ts_mov_b32 s11, {word3:#x}\n\
                 \tv_lshlrev_b32 v2, 2, v0\n\t{store} v0, v2, s[8:11], {zero} offen\n\
                 \t{load} v3, v2, s[8:11], {zero} offen offset:4\n\tv_lshlrev_b32 v4, 2, v0\n"
            )
            + &asm::spell("\tglobal_store_b32 v4, v3, s[4:5]\n", generation);
        let program =
            asm::assemble(&clang, target, &asm::kernel(target, generation, asm::Shape::default(), &body));
        let args = vec![sqtt_sim::Arg::words(&[0; 256]), sqtt_sim::Arg::words(&[7; 32])];
        let result = asm::launch(&program, 32, args).unwrap();
        let (read, written) = (result.buffers[0].words(), result.buffers[1].words());
        assert_eq!(written[..12], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 7], "{target}");
        assert_eq!(read[..11], [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0], "{target}");
    }
}

/// The access log holds, lane by lane, what the instruction used; inactive lanes are left out.
#[test]
fn accesses_are_recorded_lane_by_lane() {
    let clang = asm::clang();
    let body = "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_lshlrev_b32 v1, 2, v0\n\ts_mov_b32 exec_lo, 0xa\n\
                \tglobal_load_b32 v2, v1, s[4:5] offset:8\n\tds_bpermute_b32 v3, v1, v2 offset:4\n\
                \tds_store_2addr_b32 v1, v2, v3 offset0:1 offset1:40\n\tscratch_store_b32 off, v2, off offset:4\n\
                \tglobal_atomic_add_u32 v1, v2, s[6:7]\n\ts_mov_b32 exec_lo, 0\n\tglobal_load_b32 v2, v1, s[4:5]\n";
    let shape = asm::Shape { lds: 1024, private: 16, ..asm::Shape::default() };
    let program = asm::assemble(&clang, "gfx1100", &asm::kernel("gfx1100", 11, shape, body));
    let args = vec![sqtt_sim::Arg::words(&[1; 64]), sqtt_sim::Arg::words(&[0; 64])];
    let options = sqtt_sim::Options::default().accesses(true);
    let result = sqtt_sim::run(&program, &sqtt_sim::Launch::new("k", 1, 32, args), &options).unwrap();
    let (first, second) = (result.buffers[0].address, result.buffers[1].address);
    let log: Vec<_> =
        result.waves[0].accesses[1..].iter().map(|a| (a.kind.as_str(), a.width, a.lanes.clone())).collect();
    let lanes = |base: u64| vec![(1, base + 4), (3, base + 12)];
    let expected = [
        ("global load", 4, lanes(first + 8)),
        ("bpermute", 4, lanes(4)),
        ("lds store", 4, lanes(4)),
        ("lds store", 4, lanes(160)),
        ("scratch store", 4, vec![(1, 4), (3, 4)]),
        ("global atomic", 4, lanes(second)),
    ];
    assert_eq!(log, expected);
    assert_eq!(result.waves[0].accesses[0].kind, sqtt_sim::AccessKind::ScalarLoad);
}
