//! Every atomic, in LDS and in global memory, with and without its returned value.

use crate::asm::{self, LANES};
use crate::float::{half, to_half};

/// `(memory, data, compared) → memory`, of the width's bits.
type Rmw = fn(u64, u64, u64) -> u64;

/// Parts that the values in memory and registers are made of.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The edge values themselves.
    Int,
    /// Integers as floats of that width: no NaN, no negative zero.
    Float,
    /// Finite halves of either 16-bit format.
    Halves,
}
use Kind::{Float, Halves, Int};

/// Names in LDS, and in global memory (`""`: it has none there), for some targets.
struct Row(&'static [&'static str], &'static str, &'static str, u32, Kind, Rmw);

const GFX9: &[&str] = &["gfx90a", "gfx942", "gfx950"];
const GFX90A: &[&str] = &["gfx90a"];
const GFX942: &[&str] = &["gfx942", "gfx950"];
const GFX10: &[&str] = &["gfx1030"];
const OLD: &[&str] = &["gfx90a", "gfx942", "gfx950", "gfx1030"];
const GFX11: &[&str] = &["gfx1100"];
const GFX12: &[&str] = &["gfx1200", "gfx1201"];
const NEW: &[&str] = &["gfx1100", "gfx1200", "gfx1201"];

fn i32s(x: u64) -> i32 {
    x as i32
}

fn f32s(x: u64) -> f64 {
    f64::from(f32::from_bits(x as u32))
}

fn to32(x: f64) -> u64 {
    u64::from((x as f32).to_bits())
}

fn f64s(o: u64, d: u64, f: fn(f64, f64) -> f64) -> u64 {
    f(f64::from_bits(o), f64::from_bits(d)).to_bits()
}

fn halves(o: u64, d: u64, f: fn(u32, u32) -> u32) -> u64 {
    let at = |k: u32| u64::from(f((o >> k) as u32 & 0xffff, (d >> k) as u32 & 0xffff)) << k;
    at(0) | at(16)
}

/// The nearer of the two bf16 around the sum, the even one in the middle.
fn bf16_sum(a: u32, b: u32) -> u32 {
    let value = |x: u32| f64::from(f32::from_bits(x << 16));
    let sum = value(a) + value(b);
    let below = (sum as f32).to_bits() >> 16;
    let (low, high) = ((sum - value(below)).abs(), (sum - value(below + 1)).abs());
    below + u32::from(high < low || high == low && below & 1 == 1)
}

/// Operations of integers: LDS and RDNA3 name without the width, older global name, 32 bits, 64 bits.
const INTEGER: [(&str, &str, Rmw, Rmw); 11] = [
    ("add_u", "add", |o, d, _| u64::from((o as u32).wrapping_add(d as u32)), |o, d, _| o.wrapping_add(d)),
    ("sub_u", "sub", |o, d, _| u64::from((o as u32).wrapping_sub(d as u32)), |o, d, _| o.wrapping_sub(d)),
    (
        "min_i",
        "smin",
        |o, d, _| if i32s(d) < i32s(o) { d } else { o },
        |o, d, _| (o as i64).min(d as i64) as u64,
    ),
    (
        "max_i",
        "smax",
        |o, d, _| if i32s(d) > i32s(o) { d } else { o },
        |o, d, _| (o as i64).max(d as i64) as u64,
    ),
    ("min_u", "umin", |o, d, _| o.min(d), |o, d, _| o.min(d)),
    ("max_u", "umax", |o, d, _| o.max(d), |o, d, _| o.max(d)),
    ("and_b", "and", |o, d, _| !(!o | !d), |o, d, _| !(!o | !d)),
    ("or_b", "or", |o, d, _| o + d - (o & d), |o, d, _| !(!o & !d)),
    ("xor_b", "xor", |o, d, _| (o | d) - (o & d), |o, d, _| (o | d) - (o & d)),
    ("inc_u", "inc", |o, d, _| if o < d { o + 1 } else { 0 }, |o, d, _| if o < d { o + 1 } else { 0 }),
    (
        "dec_u",
        "dec",
        |o, d, _| if (1..=d).contains(&o) { o - 1 } else { d },
        |o, d, _| {
            if (1..=d).contains(&o) { o - 1 } else { d }
        },
    ),
];

const ROWS: &[Row] = &[
    Row(OLD, "wrxchg_b32", "swap", 32, Int, |_, d, _| d),
    Row(OLD, "wrxchg_b64", "swap_x2", 64, Int, |_, d, _| d),
    Row(NEW, "storexchg_b32", "swap_b32", 32, Int, |_, d, _| d),
    Row(NEW, "storexchg_b64", "swap_b64", 64, Int, |_, d, _| d),
    Row(OLD, "cmpst_b32", "cmpswap", 32, Int, |o, d, c| if o == c { d } else { o }),
    Row(OLD, "cmpst_b64", "cmpswap_x2", 64, Int, |o, d, c| if o == c { d } else { o }),
    Row(NEW, "cmpstore_b32", "cmpswap_b32", 32, Int, |o, d, c| if o == c { d } else { o }),
    Row(NEW, "cmpstore_b64", "cmpswap_b64", 64, Int, |o, d, c| if o == c { d } else { o }),
    Row(OLD, "rsub_u32", "", 32, Int, |o, d, _| u64::from((d as u32).wrapping_sub(o as u32))),
    Row(NEW, "rsub_u64", "", 64, Int, |o, d, _| d.wrapping_sub(o)),
    Row(OLD, "rsub_u64", "", 64, Int, |o, d, _| d.wrapping_sub(o)),
    // The first register is the mask, the second what is set.
    Row(OLD, "mskor_b32", "", 32, Int, |o, d, c| o & !c | d),
    Row(NEW, "mskor_b32", "", 32, Int, |o, d, c| o & !c | d),
    Row(GFX10, "", "csub", 32, Int, |o, d, _| o.saturating_sub(d)),
    Row(GFX11, "", "csub_u32", 32, Int, |o, d, _| o.saturating_sub(d)),
    Row(GFX12, "sub_clamp_u32", "sub_clamp_u32", 32, Int, |o, d, _| o.saturating_sub(d)),
    Row(GFX12, "cond_sub_u32", "cond_sub_u32", 32, Int, |o, d, _| o.checked_sub(d).unwrap_or(o)),
    Row(GFX9, "add_f32", "add_f32", 32, Float, |o, d, _| to32(f32s(o) + f32s(d))),
    Row(GFX10, "add_f32", "", 32, Float, |o, d, _| to32(f32s(o) + f32s(d))),
    Row(NEW, "add_f32", "add_f32", 32, Float, |o, d, _| to32(f32s(o) + f32s(d))),
    Row(GFX9, "add_f64", "add_f64", 64, Float, |o, d, _| f64s(o, d, |o, d| o + d)),
    Row(GFX9, "min_f32", "", 32, Float, |o, d, _| if f32s(d) < f32s(o) { d } else { o }),
    Row(GFX10, "max_f32", "fmax", 32, Float, |o, d, _| if f32s(d) > f32s(o) { d } else { o }),
    Row(GFX10, "min_f32", "fmin", 32, Float, |o, d, _| if f32s(d) < f32s(o) { d } else { o }),
    Row(GFX11, "min_f32", "min_f32", 32, Float, |o, d, _| if f32s(d) < f32s(o) { d } else { o }),
    Row(GFX11, "max_f32", "max_f32", 32, Float, |o, d, _| if f32s(d) > f32s(o) { d } else { o }),
    Row(GFX12, "min_num_f32", "min_num_f32", 32, Int, |o, d, _| least(o, d, false)),
    Row(GFX12, "max_num_f32", "max_num_f32", 32, Int, |o, d, _| least(o, d, true)),
    Row(GFX9, "min_f64", "min_f64", 64, Float, |o, d, _| f64s(o, d, f64::min)),
    Row(GFX9, "max_f64", "max_f64", 64, Float, |o, d, _| f64s(o, d, f64::max)),
    Row(GFX10, "min_f64", "fmin_x2", 64, Float, |o, d, _| f64s(o, d, f64::min)),
    Row(GFX10, "max_f64", "fmax_x2", 64, Float, |o, d, _| f64s(o, d, f64::max)),
    Row(GFX12, "min_num_f64", "", 64, Float, |o, d, _| f64s(o, d, f64::min)),
    Row(GFX12, "max_num_f64", "", 64, Float, |o, d, _| f64s(o, d, f64::max)),
    Row(GFX9, "cmpst_f32", "", 32, Int, |o, d, c| if f32s(o) == f32s(c) { d } else { o }),
    Row(GFX10, "cmpst_f32", "fcmpswap", 32, Int, |o, d, c| if f32s(o) == f32s(c) { d } else { o }),
    Row(GFX11, "cmpstore_f32", "cmpswap_f32", 32, Int, |o, d, c| if f32s(o) == f32s(c) { d } else { o }),
    Row(GFX10, "cmpst_f64", "fcmpswap_x2", 64, Float, |o, d, c| if o == c { d } else { o }),
    Row(GFX11, "cmpstore_f64", "", 64, Float, |o, d, c| if o == c { d } else { o }),
    Row(GFX90A, "", "pk_add_f16", 32, Halves, |o, d, _| halves(o, d, |o, d| to_half(half(o) + half(d)))),
    Row(GFX942, "pk_add_f16", "pk_add_f16", 32, Halves, |o, d, _| {
        halves(o, d, |o, d| to_half(half(o) + half(d)))
    }),
    Row(GFX12, "pk_add_f16", "pk_add_f16", 32, Halves, |o, d, _| {
        halves(o, d, |o, d| to_half(half(o) + half(d)))
    }),
    Row(GFX942, "pk_add_bf16", "pk_add_bf16", 32, Halves, |o, d, _| halves(o, d, bf16_sum)),
    Row(GFX12, "pk_add_bf16", "pk_add_bf16", 32, Halves, |o, d, _| halves(o, d, bf16_sum)),
];

/// gfx12: a NaN loses, -0 is below +0; of two NaNs one comes out quieted.
fn least(o: u64, d: u64, most: bool) -> u64 {
    let (a, b) = (f32s(o), f32s(d));
    let first = if most { a.total_cmp(&b).is_ge() } else { a.total_cmp(&b).is_le() };
    match (a.is_nan(), b.is_nan()) {
        (true, true) => o | 0x40_0000,
        (true, false) => d,
        (false, true) => o,
        _ if first => o,
        _ => d,
    }
}

fn inputs() -> [[u32; 8]; LANES] {
    const EDGES: [u32; 10] =
        [0, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x3f80_0000, 0x8081_8283, 0x7fa0_0001, 0xff80_0000];
    std::array::from_fn(|l| {
        let e = |k: usize| EDGES[k % 10];
        let (low, high) = (e(l), e(l / 3));
        // Every other lane compares with what is there.
        let same = l % 2 == 0;
        [
            e(l),
            e(l * 3 + l / 10 + 4),
            if same { e(l) } else { e(l + 1) },
            0,
            low,
            high,
            e(l * 7 + 1),
            if l % 4 == 3 { high } else { e(l / 2 + 1) },
        ]
    })
}

/// Memory, data and compared value of a lane: as [`SETUP`] makes them.
fn values(i: &[u32; 8], bits: u32, kind: Kind) -> [u64; 3] {
    let q = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
    match (kind, bits) {
        (Int, 32) => [i[0], i[1], i[2]].map(u64::from),
        (Int, _) => [q(i[4], i[5]), q(i[6], i[7]), q(i[4], if i[0] == i[2] { i[5] } else { i[7] })],
        (Float, 32) => [i[0], i[1], i[2]].map(|x| u64::from((x as i32 as f32).to_bits())),
        (Float, _) => [i[0], i[1], i[2]].map(|x| f64::from(x as i32).to_bits()),
        (Halves, _) => [i[0], i[1], i[2]].map(|x| u64::from(x & 0xbfff_bfff)),
    }
}

/// Memory in `v[22:23]`, data in `v24` or `v[24:25]`, the compared value behind.
fn setup(generation: u8, bits: u32, kind: Kind) -> String {
    let (vcc, each) = (if generation == 9 { "vcc" } else { "vcc_lo" }, [(22, 10), (24, 11), (25, 12)]);
    let one = |f: &dyn Fn(u32, u32) -> String| each.map(|(to, from)| f(to, from)).concat();
    match (kind, bits) {
        (Int, 32) => one(&|to, from| format!("v_mov_b32 v{to}, v{from}\n\t")),
        (Int, _) => {
            let moves = [(22, 14), (23, 15), (24, 16), (25, 17), (26, 14)];
            moves.map(|(to, from)| format!("v_mov_b32 v{to}, v{from}\n\t")).concat()
                + &format!("v_cmp_eq_u32 {vcc}, v10, v12\n\tv_cndmask_b32 v27, v17, v15, {vcc}\n\t")
        }
        (Float, 32) => one(&|to, from| format!("v_cvt_f32_i32 v{to}, v{from}\n\t")),
        (Float, _) => [(22, 10), (24, 11), (26, 12)]
            .map(|(to, from)| format!("v_cvt_f64_i32 v[{to}:{}], v{from}\n\t", to + 1))
            .concat(),
        (Halves, _) => one(&|to, from| format!("v_and_b32 v{to}, 0xbfffbfff, v{from}\n\t")),
    }
}

/// `add_u32` → `add_rtn_u32`.
fn returning(name: &str) -> String {
    let at = name.rfind('_').unwrap();
    format!("{}_rtn{}", &name[..at], &name[at..])
}

struct Case {
    text: String,
    bits: u32,
    kind: Kind,
    /// Gives the old value, not the new one.
    old: bool,
    f: Rmw,
}

fn cases(target: &str, generation: u8) -> Vec<Case> {
    let number = |w: u32, at: u32| if w == 32 { format!("v{at}") } else { format!("v[{at}:{}]", at + 1) };
    let returns = match target {
        "gfx942" | "gfx950" => "sc0",
        _ if generation == 12 => "th:TH_ATOMIC_RETURN",
        _ => "glc",
    };
    let mut cases = Vec::new();
    let mut push = |text: String, bits, kind, old, f| {
        let text = setup(generation, bits, kind) + &text;
        cases.push(Case { text, bits, kind, old, f });
    };
    let mut both = |ds: &str, global: &str, bits: u32, kind: Kind, f: Rmw| {
        let (result, data, memory) = (number(bits, 20), number(bits, 24), number(bits, 22));
        let compared = number(bits, if bits == 32 { 25 } else { 26 });
        if !ds.is_empty() {
            let operands = match ds.split('_').next().unwrap() {
                "cmpst" | "mskor" => format!("{compared}, {data}"),
                "cmpstore" => format!("{data}, {compared}"),
                _ => data.clone(),
            };
            let start = format!("v_lshlrev_b32 v2, 3, v0\n\tds_store_b{bits} v2, {memory}\n\t");
            push(format!("{start}ds_{} {result}, v2, {operands}", returning(ds)), bits, kind, true, f);
            // An exchange has no form without a result.
            let quiet = if ds.contains("xchg") {
                format!("ds_{} {}, v2, {operands}", returning(ds), number(bits, 28))
            } else {
                format!("ds_{ds} v2, {operands}")
            };
            push(format!("{start}{quiet}\n\tds_load_b{bits} {result}, v2"), bits, kind, false, f);
        }
        if !global.is_empty() {
            let operand = match (global.contains("cmpswap"), bits) {
                (true, 32) => "v[24:25]".to_owned(),
                (true, _) => "v[24:27]".to_owned(),
                _ => data,
            };
            let start = format!("global_store_b{bits} v1, {memory}, s[6:7]\n\t");
            let name = format!("global_atomic_{global}");
            push(format!("{start}{name} {result}, v1, {operand}, s[6:7] {returns}"), bits, kind, true, f);
            let quiet = if global.starts_with("csub") {
                format!("{name} v28, v1, {operand}, s[6:7] {returns}")
            } else {
                format!("{name} v1, {operand}, s[6:7]")
            };
            let load = format!("global_load_b{bits} {result}, v1, s[6:7]");
            push(format!("{start}{quiet}\n\t{load}"), bits, kind, false, f);
        }
    };
    for (name, older, narrow, wide) in INTEGER {
        for (bits, f) in [(32, narrow), (64, wide)] {
            let new = format!("{name}{bits}");
            let old = if bits == 32 { older.to_owned() } else { format!("{older}_x2") };
            both(&new, if generation < 11 { &old } else { &new }, bits, Int, f);
        }
    }
    for Row(targets, ds, global, bits, kind, f) in ROWS {
        if targets.contains(&target) {
            both(ds, global, *bits, *kind, *f);
        }
    }
    cases
}

#[test]
fn every_atomic_in_lds_and_global_memory() {
    let clang = asm::clang();
    let inputs = inputs();
    let mut failures = Vec::new();
    for (target, generation) in asm::TARGETS {
        let cases = cases(target, generation);
        let texts: Vec<String> = cases.iter().map(|c| c.text.clone()).collect();
        let results = asm::run_cases(&clang, (target, generation), &inputs, &texts);
        for (case, lanes) in cases.iter().zip(&results) {
            for (l, got) in lanes.iter().enumerate() {
                let [memory, data, compared] = values(&inputs[l], case.bits, case.kind);
                let new = if case.old { memory } else { (case.f)(memory, data, compared) };
                let high = if case.bits == 32 { crate::float::KEEP } else { (new >> 32) as u32 };
                if *got != [new as u32, high] {
                    failures.push(format!(
                        "{target} `{}` lane {l} {memory:#x} {data:#x} {compared:#x}: {got:x?}, expected {new:#x}",
                        case.text
                    ));
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Before gfx12 the documents and the compilers disagree about NaN and about zeros of both signs.
#[test]
fn unsettled_float_minima_are_refused() {
    let clang = asm::clang();
    for (memory, data, refused) in [
        ("0x7fc00000", "1.0", true),
        ("0", "0x80000000", true),
        ("1.0", "0x7fc00000", true),
        ("0", "0", false),
    ] {
        let body = format!(
            "\tv_mov_b32 v2, 0\n\tv_mov_b32 v3, {memory}\n\tv_mov_b32 v4, {data}\n\tds_store_b32 v2, v3\n\tds_min_f32 v2, v4\n"
        );
        let shape = asm::Shape { lds: 64, ..asm::Shape::default() };
        let program = asm::assemble(&clang, "gfx1100", &asm::kernel("gfx1100", 11, shape, &body));
        let error = asm::launch(&program, 32, vec![sqtt_sim::Arg::Null, sqtt_sim::Arg::Null]).err();
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(text.contains("zeros of both signs: not simulated"), refused, "{memory} {data}: {text}");
    }
}
