//! Matrix instructions: each one that the assembler knows, on random and edge values, against products by definition.

use crate::asm::{self, LANES};
use crate::mnemonics;
use crate::reference::{Case, Inputs, Registers, product};
use sqtt_sim::{Arg, Launch, Options, Program, run};

const PREFIXES: [&str; 4] = ["v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_"];

/// A target, its generation, lanes, and the assembler's argument for them.
type Machine = (&'static str, u8, usize, &'static [&'static str]);

const MACHINES: [Machine; 8] = [
    ("gfx90a", 9, 64, &[]),
    ("gfx942", 9, 64, &[]),
    ("gfx950", 9, 64, &[]),
    ("gfx1100", 11, 32, &[]),
    ("gfx1100", 11, 64, &["-mwavefrontsize64"]),
    ("gfx1200", 12, 32, &[]),
    ("gfx1200", 12, 64, &["-mwavefrontsize64"]),
    ("gfx1201", 12, 32, &[]),
];

fn range(first: usize, n: usize) -> String {
    if n == 1 { format!("v{first}") } else { format!("v[{first}:{}]", first + n - 1) }
}

/// Registers of D, A, B, C in the tests' kernels; the index and the scales are in 80 to 82.
const D: usize = 4;
const A: usize = 64;
const B: usize = 72;
const C: usize = 96;

fn case(machine: Machine, name: &str, widths: [usize; 3]) -> Case {
    let [d, a, b] = widths;
    let more = match name {
        _ if name.contains("mac_") => "v80".to_owned(),
        _ if name.contains("scale") => format!("{}, v81, v82", range(C, d)),
        _ => range(C, d),
    };
    Case {
        target: machine.0,
        lanes: machine.2,
        text: format!("{name} {}, {}, {}, {more}", range(D, d), range(A, a), range(B, b)),
        name: name.to_owned(),
        widths,
        fields: [0; 4],
        neg: [0; 2],
        op_sel: [0; 2],
        clamp: false,
        constant: None,
    }
}

/// Every matrix instruction that the assembler takes for a target, with the widths that it takes.
fn known(clang: &str, machine: Machine) -> Vec<Case> {
    let mut tried = Vec::new();
    for name in mnemonics::names(clang, &PREFIXES) {
        for d in [1, 2, 4, 8, 16, 32] {
            for a in [1, 2, 4, 8] {
                for b in [1, 2, 4, 8] {
                    tried.push(case(machine, &name, [d, a, b]));
                }
            }
        }
    }
    let lines: Vec<String> = tried.iter().map(|case| case.text.clone()).collect();
    let taken = mnemonics::accepted(clang, machine.0, machine.3, &lines);
    taken.into_iter().map(|n| tried[n].clone()).collect()
}

/// A case with modifiers.
fn with(base: &Case, suffix: &str, change: impl FnOnce(&mut Case)) -> Case {
    let mut case = base.clone();
    case.text += suffix;
    change(&mut case);
    case
}

/// The known instructions' forms with modifiers.
fn modified(all: &[Case]) -> Vec<Case> {
    let mut out = Vec::new();
    let constant = |base: &Case, text: &str, value: f64| {
        with(base, "", |c| {
            c.text = c.text.replace(&range(C, c.widths[0]), text);
            c.constant = Some(value);
        })
    };
    for base in all {
        let name = base.name.as_str();
        let (mfma, sparse) = (base.target.starts_with("gfx9"), name.contains("mac_"));
        let (float, integer) = (name.contains("_f32_") || name.contains("_f64_"), name.contains("_i32_"));
        let half = name.contains("_f16_16") && !name.contains("fp8") && !name.contains("bf8");
        if !sparse && !name.contains("scale") && (float || half) {
            out.push(constant(base, "1.0", 1.0));
        } else if !sparse && integer {
            out.push(constant(base, "-7", -7.0));
        }
        if name.contains("f8f6f4") {
            for (a, b) in [(0, 1), (1, 1), (2, 3), (3, 4), (4, 4), (4, 0), (1, 2)] {
                let registers = |format: usize| [8, 8, 6, 6, 4][format];
                let mut case = base.clone();
                case.fields = [a, 0, b, 0];
                case.widths = [base.widths[0], registers(a), registers(b)];
                case.text = case.text.replace(&range(A, 8), &range(A, registers(a)));
                case.text = case.text.replace(&range(B, 8), &range(B, registers(b)));
                if name.contains("scale") {
                    // The byte of A's scale is the format's number, that of B's the number of B's.
                    let bits = |at: usize| (a >> at & 1) as u8 | ((b >> at & 1) as u8) << 1;
                    case.op_sel = [bits(0), bits(1)];
                    let text = |x: u8| format!("[{},{},0]", x & 1, x >> 1);
                    case.text += &format!(" op_sel:{} op_sel_hi:{}", text(bits(0)), text(bits(1)));
                }
                case.text += &format!(" cbsz:{a} blgp:{b}");
                out.push(case);
            }
        } else if name.contains("f64") {
            let suffix = if base.target == "gfx90a" { " blgp:5" } else { " neg:[1,0,1]" };
            out.push(with(base, suffix, |c| c.neg[0] = 5));
        } else if mfma && sparse {
            // Sets of indices: as many as 32 bits have room for.
            let set = 2 * base.widths[1] * if name.contains("f16") { 2 } else { 4 };
            for abid in 0..32 / set {
                out.push(with(base, &format!(" abid:{abid}"), |c| c.fields[1] = abid));
            }
            out.push(with(base, " cbsz:1 abid:1", |c| c.fields = [1, 1, 0, 0]));
        } else if mfma {
            let blocks = base.widths[0] * 64 / if name.contains("32x32") { 1024 } else { 256 };
            let blocks = if name.contains("4x4x") && !name.contains("x4x4x4x") && !name.contains("16x16x4") {
                if name.contains("_4x4x") { 16 } else { blocks }
            } else {
                blocks
            };
            for cbsz in 1..=blocks.ilog2() as usize {
                let abid = (1 << cbsz) - 1;
                out.push(with(base, &format!(" cbsz:{cbsz} abid:{abid}"), |c| c.fields = [cbsz, abid, 0, 0]));
            }
            for blgp in 1..8 {
                out.push(with(base, &format!(" blgp:{blgp}"), |c| c.fields[2] = blgp));
            }
        } else {
            let wide = name.contains("_f16") || name.contains("_bf16");
            if integer {
                for signs in 0..4u8 {
                    let text = format!(" neg_lo:[{},{},0] clamp", signs & 1, signs >> 1);
                    out.push(with(base, &text, |c| (c.neg[0], c.clamp) = (signs, true)));
                }
                out.push(with(base, " neg_lo:[1,0,0]", |c| c.neg[0] = 1));
            } else if wide && sparse {
                out.push(with(base, " neg_lo:[1,0,0] neg_hi:[1,1,0]", |c| c.neg = [1, 3]));
            } else if wide {
                out.push(with(base, " neg_lo:[1,0,1] neg_hi:[1,1,0]", |c| c.neg = [5, 3]));
                out.push(with(base, " neg_lo:[0,1,1] neg_hi:[0,0,1]", |c| c.neg = [6, 4]));
            } else if !sparse {
                out.push(with(base, " neg_lo:[0,0,1] neg_hi:[0,0,1]", |c| c.neg = [4, 4]));
            }
            if base.target == "gfx1100" && (name.starts_with("v_wmma_f16") || name.starts_with("v_wmma_bf16"))
            {
                out.push(with(base, " op_sel:[0,0,1]", |c| c.op_sel[0] = 4));
            }
            let sets = match (base.lanes, name.contains("iu4"), name.contains("x64")) {
                (32, true, true) => 1,
                (32, ..) | (_, true, _) => 2,
                _ => 4,
            };
            for key in 1..if sparse { sets } else { 1 } {
                out.push(with(base, &format!(" index_key:{key}"), |c| c.fields[3] = key));
            }
        }
    }
    out
}

/// A kernel that runs the cases one by one, each on the same A, B, C.
fn program(clang: &str, machine: Machine, cases: &[Case]) -> Program {
    let (target, generation, _, more) = machine;
    let shape = asm::Shape { vgprs: 128, wave64: machine.2 == 64, ..asm::Shape::default() };
    let add = if generation == 9 { "v_add_u32" } else { "v_add_nc_u32" };
    let mut body = "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_and_b32 v0, 63, v0\n\tv_lshlrev_b32 v1, 8, v0\n\
                    \tv_lshlrev_b32 v2, 7, v0\n"
        .to_owned();
    for (first, count, offset) in [(A, 8, 0), (B, 8, 32), (80, 4, 64), (C, 32, 128)] {
        for k in (0..count).step_by(4) {
            let at = offset + 4 * k;
            body += &format!("\tglobal_load_b128 {}, v1, s[4:5] offset:{at}\n", range(first + k, 4));
        }
    }
    for case in cases {
        for r in 0..case.widths[0] {
            body += &format!("\tv_mov_b32 v{}, v{}\n", D + r, C + r);
        }
        body += &format!("\t{}\n", case.text);
        for r in (0..32).step_by(4) {
            body += &format!("\tglobal_store_b128 v2, {}, s[6:7] offset:{}\n", range(D + r, 4), 4 * r);
        }
        body += &format!("\t{add} v2, 0x2000, v2\n");
    }
    let text = asm::kernel(target, generation, shape, &asm::spell(&body, generation));
    Program::load(&asm::code_object_with(clang, target, more, &text)).unwrap()
}

/// A fixed sequence of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// An f32 of moderate size, as bits.
    fn single(&mut self) -> u32 {
        let x = self.next();
        (x & 0x807f_ffff) | (120 + x.wrapping_mul(0x9e37) % 14) << 23
    }

    /// An f16 of moderate size.
    fn half(&mut self) -> u32 {
        let x = self.next();
        (x & 0x83ff) | (9 + x.wrapping_mul(0x9e37) % 13) << 10
    }
}

/// A word of the sources in each kind of test.
fn word(kind: usize, random: &mut Random) -> u32 {
    const EDGES: [u32; 20] = [
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x0001_0001,
        0x3c00_3c00,
        0x7c00_0000,
        0x7f80_0000,
        0x7f7f_ffff,
        0xff80_0000,
        0x03ff_8001,
        0x0400_0400,
        0x7bff_7bff,
        0x8080_0080,
        0x7fc0_0001,
        0x3f80_0000,
        0x3380_0000,
        0x0080_0000,
        0x807f_ffff,
        0x7f01_80ff,
    ];
    match kind {
        0 => random.single(),
        1 => random.half() | random.half() << 16,
        2 => random.single() >> 16 | random.single() & 0xffff_0000,
        // Bytes whose values are neither infinite nor NaN in any format.
        3 => (0..4).fold(0, |w, k| w | ((random.next() % 60) | ((random.next() & 1) << 7)) << (8 * k)),
        4 => random.next(),
        // Mostly zeros, so that the edges are seen one by one.
        _ if !random.next().is_multiple_of(6) => 0,
        _ => EDGES[random.next() as usize % EDGES.len()],
    }
}

fn inputs(kind: usize, seed: u64) -> Inputs {
    let mut random = Random(seed * 77 + kind as u64);
    let mut registers = |n: usize| -> Registers {
        (0..n).map(|_| (0..64).map(|_| word(kind, &mut random)).collect()).collect()
    };
    let (a, b, c) = (registers(8), registers(8), registers(32));
    let index = (0..64).map(|_| random.next()).collect();
    let mut scale = || {
        let byte = |random: &mut Random| match random.next() % 64 {
            0 => 255,
            1 => 0,
            2 => 254,
            x => 100 + x,
        };
        (0..64).map(|_| (0..4).fold(0, |w, k| w | byte(&mut random) << (8 * k))).collect()
    };
    let scales = [scale(), scale()];
    Inputs { a, b, c, index, scales }
}

/// Every 16 lanes hold the same, as gfx11 wants it.
fn replicate(registers: &mut Registers) {
    for row in registers {
        for lane in 16..64 {
            row[lane] = row[lane % 16];
        }
    }
}

fn check(machine: Machine, cases: &[Case]) {
    let clang = asm::clang();
    let mut failures = Vec::new();
    for cases in cases.chunks(64) {
        let program = program(&clang, machine, cases);
        let refused: Vec<_> = program.unsupported().collect();
        assert!(refused.is_empty(), "{}: {refused:?}", machine.0);
        for kind in 0..6 {
            let mut sources = inputs(kind, 1);
            if machine.1 == 11 {
                replicate(&mut sources.a);
                replicate(&mut sources.b);
            }
            let mut words = vec![0; 64 * 64];
            for lane in 0..64 {
                let all = sources.a.iter().chain(&sources.b).map(|r| r[lane]);
                let others = [sources.index[lane], sources.scales[0][lane], sources.scales[1][lane]];
                for (k, word) in all.chain(others).enumerate() {
                    words[lane * 64 + k] = word;
                }
                for (k, row) in sources.c.iter().enumerate() {
                    words[lane * 64 + 32 + k] = row[lane];
                }
            }
            let out = vec![0; cases.len() * 64 * 32];
            let launch = Launch::new("k", 1, machine.2 as u32, vec![Arg::words(&words), Arg::words(&out)]);
            let result = run(&program, &launch, &Options::default().threads(1)).unwrap();
            let got = result.buffers[1].words();
            for (n, case) in cases.iter().enumerate() {
                let want = product(case, &sources);
                let at = |register: usize, lane: usize| got[n * 2048 + lane * 32 + register];
                let all = (0..case.widths[0]).flat_map(|r| (0..machine.2).map(move |l| (r, l)));
                let mut bad = all.filter(|&(r, l)| !same(case, at(r, l), want[r][l]));
                if let Some((r, l)) = bad.next() {
                    failures.push(format!(
                        "{} wave{} `{}` data {kind} register {r} lane {l}: {:#x}, expected {:#x}, and {} more",
                        machine.0,
                        machine.2,
                        case.text,
                        at(r, l),
                        want[r][l],
                        bad.count()
                    ));
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n{} failures",
        failures[..failures.len().min(40)].join("\n"),
        failures.len()
    );
}

/// Equal bits; of NaNs of 16 bits the payload does not count.
fn same(case: &Case, got: u32, want: u32) -> bool {
    if case.name.contains("_f16_16") || case.name.contains("_bf16_16") {
        let least = if case.name.contains("_bf16_16") { 0x7f80 } else { 0x7c00 };
        let equal = |g: u32, w: u32| g == w || g & 0x7fff > least && w & 0x7fff > least;
        return equal(got & 0xffff, want & 0xffff) && equal(got >> 16, want >> 16);
    }
    got == want
}

/// All of one machine.
fn all(n: usize, count: usize) {
    let machine = MACHINES[n];
    let clang = asm::clang();
    let mut cases = known(&clang, machine);
    // A number that is lower by one says that the assembler lost one; by more, that it has new ones to look at.
    assert_eq!(cases.len(), count, "{}: {:?}", machine.0, cases.iter().map(|c| &c.name).collect::<Vec<_>>());
    let more = modified(&cases);
    cases.extend(more);
    check(machine, &cases);
}

#[test]
fn gfx90a() {
    all(0, 27);
}

#[test]
fn gfx942() {
    all(1, 75);
}

#[test]
fn gfx950() {
    all(2, 101);
}

#[test]
fn gfx1100_in_both_wave_sizes() {
    all(3, 6);
    all(4, 6);
}

#[test]
fn gfx1200_in_both_wave_sizes() {
    all(5, 22);
    all(6, 22);
}

#[test]
fn gfx1201() {
    all(7, 22);
}

/// A wave whose lanes do not repeat the sources is refused, not guessed at.
#[test]
fn gfx11_refuses_sources_that_differ_between_halves() {
    let clang = asm::clang();
    let body = "\tv_mov_b32 v1, v0\n\tv_wmma_i32_16x16x16_iu4 v[4:11], v[0:1], v[2:3], v[4:11]";
    let text = asm::kernel("gfx1100", 11, asm::Shape::default(), body);
    let program = asm::assemble(&clang, "gfx1100", &text);
    let error = asm::launch(&program, LANES as u32, vec![Arg::words(&[0]), Arg::words(&[0])]).unwrap_err();
    assert!(error.to_string().contains("do not repeat lanes 0 to 15"), "{error}");
}
