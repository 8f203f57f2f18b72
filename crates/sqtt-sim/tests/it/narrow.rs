//! Conversions of 8-, 6- and 4-bit floats, f16 and bf16: each one that the assembler knows, against a search among
//! all codes.

use std::collections::BTreeMap;

use crate::asm;
use crate::mnemonics;
use crate::reference::value;
use sqtt_sim::{Arg, Launch, Options, Program, run};

/// A name's parts: `v_cvt_[scalef32_][sr_][pk_|pk32_|2xpk16_]TO_FROM`.
struct Name<'a> {
    scaled: bool,
    random: bool,
    count: usize,
    two: bool,
    to: &'a str,
    from: &'a str,
}

fn parse(name: &str) -> Option<Name<'_>> {
    let mut rest = name.strip_prefix("v_cvt_")?;
    let mut take = |prefix: &str| rest.strip_prefix(prefix).inspect(|tail| rest = tail).is_some();
    let (scaled, random) = (take("scalef32_"), take("sr_"));
    let two = take("2xpk16_");
    let count = if two || take("pk32_") { 32 } else { 1 + usize::from(take("pk_")) };
    let (to, from) = rest.split_once('_')?;
    let narrow = |t: &str| ["fp8", "bf8", "fp6", "bf6", "fp4", "bf16"].contains(&t);
    let known = |t: &str| narrow(t) || t == "f32" || t == "f16";
    let is = known(to) && known(from) && (narrow(to) || narrow(from) || random || name == "v_cvt_pk_f16_f32");
    is.then_some(Name { scaled, random, count, two, to, from })
}

fn width(kind: &str) -> usize {
    match kind {
        "f32" => 32,
        "f16" | "bf16" => 16,
        "fp6" | "bf6" => 6,
        "fp4" => 4,
        _ => 8,
    }
}

/// A conversion with the parts of registers that it reads and writes.
struct Case {
    name: String,
    text: String,
    /// First element of the source; first bit of the result.
    from: usize,
    to: usize,
}

fn range(first: usize, n: usize) -> String {
    if n == 1 { format!("v{first}") } else { format!("v[{first}:{}]", first + n - 1) }
}

/// The conversions' forms: with every part of a register that they can select.
fn cases(name: &str, target: &str) -> Vec<Case> {
    let n = parse(name).unwrap();
    let pair = n.count == 2 && n.from == "f32" && !n.random;
    let held = if n.two || pair { n.count / 2 } else { n.count };
    let registers = |count: usize, kind: &str| (count * width(kind)).div_ceil(32);
    let mut text =
        format!("{name} {}, {}", range(4, registers(n.count, n.to)), range(40, registers(held, n.from)));
    if n.two || pair {
        text += &format!(", {}", range(72, registers(held, n.from)));
    }
    if n.random {
        text += ", v104";
    }
    if n.scaled {
        text += ", v105";
    }
    let sources = 1 + usize::from(n.two || pair) + usize::from(n.random) + usize::from(n.scaled);
    let mut out = vec![Case { name: name.to_owned(), text: text.clone(), from: 0, to: 0 }];
    let mut add = |suffix: String, from: usize, to: usize| {
        out.push(Case { name: name.to_owned(), text: text.clone() + &suffix, from, to });
    };
    let bytes = target.starts_with("gfx12");
    let list = |bits: [u8; 4]| {
        let texts: Vec<String> = bits.iter().map(u8::to_string).collect();
        format!(" op_sel:[{}]", texts.join(","))
    };
    for k in 1..4u8 {
        let (low, high) = (k & 1, k >> 1);
        let at = usize::from(k);
        match (n.count, width(n.from), width(n.to)) {
            (1, 8, _) if bytes => add(format!(" byte_sel:{k}"), at, 0),
            (1, 8, _) if n.scaled && n.to == "f32" => add(format!(" op_sel:[{low},{high},0]"), at, 0),
            (1, 8, _) if n.scaled => {
                add(format!(" op_sel:[{low},{high},0]"), at, 0);
                add(format!(" op_sel:[{low},{high},1]"), at, 16);
            }
            (1, 8, _) => {}
            (2, 8, _) if k == 1 && (bytes || n.scaled) => {
                let zeros = if n.scaled { ",0" } else { "" };
                add(format!(" op_sel:[1,0{zeros}]"), 2, 0);
            }
            (2, 4, _) => add(format!(" op_sel:[{low},{high},0]"), 2 * at, 0),
            (1, _, 8) if bytes => add(format!(" byte_sel:{k}"), 0, 8 * at),
            (1, _, 8) | (2, _, 4) => add(list([0, 0, low, high]), 0, 8 * at),
            (2, _, 8) if k == 1 && sources == 2 => add(" op_sel:[0,0,1]".to_owned(), 0, 16),
            (2, _, 8) if k == 1 => add(" op_sel:[0,0,0,1]".to_owned(), 0, 16),
            (1, 32, 16) if k == 1 => add(" op_sel:[0,0,1]".to_owned(), 0, 16),
            _ => {}
        }
    }
    if target == "gfx942" && n.count == 1 && n.from.ends_with('8') {
        let sdwa = text.replace(name, &format!("{name}_sdwa")) + " src0_sel:BYTE_2";
        out.push(Case { name: name.to_owned(), text: sdwa, from: 2, to: 0 });
    }
    if n.from == "f32" && n.count <= 2 && !(n.random && n.count == 2) {
        let signed = text.replace("v40", "-|v40|");
        out.push(Case { name: name.to_owned(), text: signed, from: usize::MAX, to: 0 });
    }
    out
}

/// All finite magnitudes of a format, by code.
fn magnitudes(kind: &str, fnuz: bool) -> Vec<f64> {
    let top = match kind {
        "bf16" => 0x7f80,
        "f16" => 0x7c00,
        other => 1 << (width(other) - 1),
    };
    (0..top).map(|code| value(kind, code, false, fnuz)).take_while(|x| x.is_finite()).collect()
}

/// The code of a value: `None` where the format has none for it.
fn encode(kind: &str, fnuz: bool, all: &[f64], x: f64, random: Option<u32>) -> Option<u32> {
    let sign = if x.is_sign_negative() { 1 << (width(kind) - 1) } else { 0 };
    if x.is_nan() {
        return match kind {
            "fp8" | "bf8" if fnuz => Some(0x80),
            "fp8" | "bf8" => Some(0x7f | sign),
            "f16" => Some(0x7e00),
            "bf16" => Some(0x7fc0),
            _ => None,
        };
    }
    let a = x.abs();
    let below = all.partition_point(|&y| y <= a) - 1;
    // Above the largest value the steps go on.
    let next = all.get(below + 1).copied().unwrap_or_else(|| 2.0 * all[below] - all[below - 1]);
    let part = (a - all[below]) / (next - all[below]);
    let up = match random {
        None => part > 0.5 || part == 0.5 && below % 2 == 1,
        Some(bits) => {
            let mantissa = match kind {
                "f16" => 10,
                "bf16" => 7,
                "fp8" | "fp6" => 3,
                "bf8" | "bf6" => 2,
                _ => 1,
            };
            part + f64::from(bits >> (9 + mantissa)) / 2f64.powi(23 - mantissa) >= 1.0
        }
    };
    let code = below + usize::from(up);
    if code < all.len() {
        return Some(if fnuz && code == 0 { 0 } else { code as u32 | sign });
    }
    Some(match kind {
        "fp8" | "bf8" if fnuz => 0x80,
        "fp8" => 0x7f | sign,
        "bf8" => 0x7c | sign,
        "f16" => 0x7c00 | sign,
        "bf16" => 0x7f80 | sign,
        _ => (all.len() as u32 - 1) | sign,
    })
}

/// Registers of a lane: source one from 0, source two from 32, random bits 64, scale 65, result 66 on.
type Lane = [u32; 98];

/// The result's registers; `None` where the conversion is refused.
fn expect(case: &Case, target: &str, lane: &Lane, magnitudes: &[f64]) -> Option<[u32; 32]> {
    let n = parse(&case.name).unwrap();
    let fnuz = target == "gfx942";
    let bits = |first: usize, k: usize, width: usize| {
        (0..width).fold(0u64, |v, b| {
            let at = k * width + b;
            v | u64::from(lane[first + at / 32] >> (at % 32) & 1) << b
        })
    };
    let scale = match lane[65] >> 23 & 255 {
        _ if !n.scaled => 1.0,
        255 => f64::NAN,
        e => 2f64.powi(e as i32 - 127),
    };
    let alternate = n.two || n.count == 2 && n.from == "f32" && !n.random;
    let (signed, first) = if case.from == usize::MAX { (true, 0) } else { (false, case.from) };
    let mut out: [u32; 32] = lane[66..].try_into().unwrap();
    let mut random = lane[64];
    for k in 0..n.count {
        let raw = match alternate {
            true => bits(if k % 2 == 0 { 0 } else { 32 }, k / 2, 32),
            false => bits(0, first + k, width(n.from)),
        };
        let raw = if signed && k == 0 { raw | 0x8000_0000 } else { raw };
        let x = value(n.from, raw, false, fnuz);
        let narrow = !matches!(n.to, "f32" | "f16" | "bf16");
        let x = if narrow { x / scale } else { x * scale };
        let code = match n.to {
            "f32" if x.is_nan() => 0x7fc0_0000,
            "f32" => (x as f32).to_bits(),
            to => encode(to, fnuz, magnitudes, x, n.random.then_some(random))?,
        };
        random = random << 1 ^ if random >> 31 == 1 { 0xc5 } else { 0 };
        for b in 0..width(n.to) {
            let at = case.to + k * width(n.to) + b;
            out[at / 32] = out[at / 32] & !(1 << (at % 32)) | (code >> b & 1) << (at % 32);
        }
    }
    Some(out)
}

/// Values near the codes' and between them.
fn word(random: &mut impl FnMut() -> u32, kind: usize) -> u32 {
    let x = random();
    match kind {
        0 => x & 0x807f_ffff | (115 + x.wrapping_mul(0x9e37) % 24) << 23,
        // Exactly between two codes, or a step off.
        1 => (x & 0x80f8_0000 | 0x3f00_0000).wrapping_add(x >> 3 & 1),
        2 => (x & 0x8fff_8fff).wrapping_add(0x3000_3000),
        3 => [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 1, 0x43e8_0000, 0x43e7_ffff, 0x4770_0000]
            [x as usize % 8],
        _ => x,
    }
}

/// Values that are no NaN, as the formats without one need them.
fn tame(word: u32, kind: &str) -> u32 {
    match kind {
        "f32" if word >> 23 & 0xff == 0xff => word & !(1 << 30),
        "f16" => word & !0x4000_4000 | 0x2000_2000,
        "bf16" => word & !0x4000_4000 | 0x3000_3000,
        _ => word,
    }
}

fn program(clang: &str, target: &str, generation: u8, cases: &[&Case]) -> Program {
    let shape = asm::Shape { vgprs: 128, ..asm::Shape::default() };
    let add = if generation == 9 { "v_add_u32" } else { "v_add_nc_u32" };
    let mut body =
        "\ts_load_b128 s[4:7], s[0:1], 0x0\n\tv_mul_u32_u24 v1, 512, v0\n\tv_lshlrev_b32 v2, 7, v0\n"
            .to_owned();
    for (first, count, offset) in [(40, 32, 0), (72, 32, 128), (104, 4, 256)] {
        for k in (0..count).step_by(4) {
            body += &format!(
                "\tglobal_load_b128 {}, v1, s[4:5] offset:{}\n",
                range(first + k, 4),
                offset + 4 * k
            );
        }
    }
    for case in cases {
        for k in 0..32 {
            body += &format!("\tv_mov_b32 v{}, 0x55aa55aa\n", 4 + k);
        }
        body += &format!("\t{}\n", case.text);
        for k in (0..32).step_by(4) {
            body += &format!("\tglobal_store_b128 v2, {}, s[6:7] offset:{}\n", range(4 + k, 4), 4 * k);
        }
        body += &format!("\t{add} v2, 0x1000, v2\n");
    }
    asm::assemble(clang, target, &asm::kernel(target, generation, shape, &asm::spell(&body, generation)))
}

fn nan(kind: &str, code: u32) -> bool {
    match kind {
        "f32" => f32::from_bits(code).is_nan(),
        "f16" => code & 0x7fff > 0x7c00,
        "bf16" => code & 0x7fff > 0x7f80,
        "fp8" => code & 0x7f == 0x7f,
        "bf8" => code & 0x7f > 0x7c,
        _ => false,
    }
}

/// Sources of 32 lanes: values that are no NaN where a type is given.
fn lanes(kind: usize, tamed: Option<&str>) -> Vec<Lane> {
    let mut state = 1 + kind as u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 ^ (state >> 13) as u32
    };
    let mut lane = || {
        let mut lane: Lane = std::array::from_fn(|_| word(&mut random, kind));
        if let Some(from) = tamed {
            lane[..64].iter_mut().for_each(|w| *w = tame(*w, from));
            lane[65] = tame(lane[65], "f32");
        }
        lane[66..].fill(0x55aa_55aa);
        lane
    };
    (0..32).map(|_| lane()).collect()
}

/// The first difference of a case's results.
fn compare(case: &Case, target: &str, lanes: &[Lane], got: &[u32]) -> Option<String> {
    let n = parse(&case.name).unwrap();
    let magnitudes = if n.to == "f32" { Vec::new() } else { magnitudes(n.to, target == "gfx942") };
    lanes.iter().zip(got.chunks(32)).enumerate().find_map(|(l, (lane, got))| {
        let want = expect(case, target, lane, &magnitudes).unwrap();
        let bits = width(n.to);
        let mask = u32::MAX >> (32 - bits);
        // Signs and payloads of NaNs do not count.
        let same = |g: u32, w: u32| {
            g == w
                || 32 % bits == 0
                    && (0..32 / bits).all(|part| {
                        let (g, w) = (g >> (part * bits) & mask, w >> (part * bits) & mask);
                        g == w || nan(n.to, g) && nan(n.to, w)
                    })
        };
        let k = (0..32).find(|&k| !same(got[k], want[k]))?;
        Some(format!(
            "`{}` lane {l} sources {:x?} {:x?} random {:#x} scale {:#x} register {k}: {:#x}, expected {:#x}",
            case.text,
            &lane[..2],
            &lane[32..34],
            lane[64],
            lane[65],
            got[k],
            want[k]
        ))
    })
}

fn check(target: &'static str, generation: u8, count: usize) {
    let clang = asm::clang();
    let names: Vec<String> =
        mnemonics::names(&clang, &["v_cvt_"]).into_iter().filter(|name| parse(name).is_some()).collect();
    let firsts: Vec<String> = names.iter().map(|name| cases(name, target)[0].text.clone()).collect();
    let taken = mnemonics::accepted(&clang, target, &[], &firsts);
    let known: Vec<&String> = taken.iter().map(|&k| &names[k]).collect();
    assert_eq!(known.len(), count, "{target}: {known:?}");
    let all: Vec<Case> = known.iter().flat_map(|name| cases(name, target)).collect();
    // Cases on the same kind of sources share a program.
    let without_nan = |n: &Name<'_>| matches!(n.to, "fp6" | "bf6" | "fp4");
    let mut groups: BTreeMap<(&str, bool), Vec<&Case>> = BTreeMap::new();
    for case in &all {
        let n = parse(&case.name).unwrap();
        groups.entry((n.from, without_nan(&n))).or_default().push(case);
    }
    let mut failures = Vec::new();
    for ((from, tamed), cases) in groups {
        let program = program(&clang, target, generation, &cases);
        assert_eq!(program.unsupported().collect::<Vec<_>>(), [], "{target}");
        for kind in 0..5 {
            let lanes = lanes(kind, tamed.then_some(from));
            let mut words = vec![0u32; 32 * 128];
            for (l, lane) in lanes.iter().enumerate() {
                words[l * 128..l * 128 + 66].copy_from_slice(&lane[..66]);
            }
            let out = vec![0; cases.len() * 32 * 32];
            let launch = Launch::new("k", 1, 32, vec![Arg::words(&words), Arg::words(&out)]);
            let result = run(&program, &launch, &Options::default().threads(1)).unwrap();
            let got = result.buffers[1].words();
            for (case, got) in cases.iter().zip(got.chunks(32 * 32)) {
                failures.extend(
                    compare(case, target, &lanes, got).map(|text| format!("{target} data {kind} {text}")),
                );
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n{} failures",
        failures[..failures.len().min(30)].join("\n"),
        failures.len()
    );
}

#[test]
fn gfx942() {
    check("gfx942", 9, 8);
}

#[test]
fn gfx950() {
    check("gfx950", 9, 62);
}

#[test]
fn gfx1200() {
    check("gfx1200", 12, 8);
}

/// A NaN has no code in a float of four bits: no value is made up.
#[test]
fn a_nan_in_fp4_is_refused() {
    let clang = asm::clang();
    let case = &cases("v_cvt_scalef32_pk_fp4_f32", "gfx950")[0];
    let program = program(&clang, "gfx950", 9, &[case]);
    let words = vec![0x7fc0_0000; 32 * 128];
    let launch = Launch::new("k", 1, 32, vec![Arg::words(&words), Arg::words(&vec![0; 32 * 32])]);
    let error = run(&program, &launch, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("a NaN has no code"), "{error}");
}
