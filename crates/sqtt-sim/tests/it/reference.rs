//! Matrices by the layouts of AMD's documents, read backwards (from register and lane to element), and products
//! by the definition, one rounding per step.

use std::collections::BTreeMap;

/// An instruction on one target.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) target: &'static str,
    pub(crate) lanes: usize,
    pub(crate) text: String,
    pub(crate) name: String,
    /// Registers of D, A, B.
    pub(crate) widths: [usize; 3],
    /// `cbsz`, `abid`, `blgp`, `index_key`.
    pub(crate) fields: [usize; 4],
    pub(crate) neg: [u8; 2],
    pub(crate) op_sel: [u8; 2],
    pub(crate) clamp: bool,
    /// The accumulator where it is a constant.
    pub(crate) constant: Option<f64>,
}

/// Registers `[register][lane]`.
pub(crate) type Registers = Vec<Vec<u32>>;

pub(crate) struct Inputs {
    pub(crate) a: Registers,
    pub(crate) b: Registers,
    pub(crate) c: Registers,
    pub(crate) index: Vec<u32>,
    pub(crate) scales: [Vec<u32>; 2],
}

struct Facts {
    sparse: bool,
    m: usize,
    n: usize,
    k: usize,
    d: String,
    types: [String; 2],
}

fn facts(case: &Case) -> Facts {
    let name = case.name.replace("v_mfma_scale_", "v_mfma_");
    let parts: Vec<&str> = name.splitn(4, '_').collect();
    let mut dims = parts[3].split('x');
    let digits = |t: &str| t.chars().take_while(char::is_ascii_digit).collect::<String>();
    let (m, n) = (dims.next().unwrap().parse().unwrap(), dims.next().unwrap().parse().unwrap());
    let rest: String = dims.collect::<Vec<_>>().join("x");
    let k = digits(&rest);
    let tail = rest[k.len()..].trim_start_matches('_').trim_end_matches("_1k");
    let tail = tail.split_once("b_").filter(|(n, _)| n.parse::<u8>().is_ok()).map_or(tail, |(_, t)| t);
    let types = match tail.split_once('_') {
        _ if tail == "f8f6f4" => {
            [case.fields[0], case.fields[2]].map(|f| ["fp8", "bf8", "fp6", "bf6", "fp4"][f].to_owned())
        }
        Some((a, b)) => [a.to_owned(), b.to_owned()],
        None => [tail.to_owned(), tail.to_owned()],
    };
    let sparse = name.contains("mac_");
    Facts { sparse, m, n, k: k.parse().unwrap(), d: parts[2].to_owned(), types }
}

fn width(kind: &str) -> usize {
    match kind {
        "f64" => 64,
        "f16" | "bf16" => 16,
        "i8" | "iu8" | "fp8" | "bf8" => 8,
        "fp6" | "bf6" => 6,
        "iu4" | "fp4" => 4,
        _ => 32,
    }
}

/// `(-1)^s 2^(e-bias) (1 + m/2^M)`, without the codes that mean something else.
fn ieee(bits: u64, exponent: u32, mantissa: u32, bias: i32) -> f64 {
    let e = (bits >> mantissa & ((1 << exponent) - 1)) as i32;
    let m = (bits & ((1 << mantissa) - 1)) as f64 / 2f64.powi(mantissa as i32);
    let v = if e == 0 { m * 2f64.powi(1 - bias) } else { (1.0 + m) * 2f64.powi(e - bias) };
    if bits >> (exponent + mantissa) & 1 == 1 { -v } else { v }
}

/// An element's value.
pub(crate) fn value(kind: &str, bits: u64, signed: bool, fnuz: bool) -> f64 {
    let top = |e: u32, m: u32| bits >> m & ((1 << e) - 1) == (1 << e) - 1;
    match kind {
        "f64" => f64::from_bits(bits),
        "f32" => f64::from(f32::from_bits(bits as u32)),
        "xf32" => f64::from(f32::from_bits(bits as u32 & !0x1fff)),
        "bf16" => f64::from(f32::from_bits((bits as u32) << 16)),
        "f16" if top(5, 10) && bits & 0x3ff != 0 => f64::NAN,
        "f16" if top(5, 10) => f64::INFINITY.copysign(if bits & 0x8000 != 0 { -1.0 } else { 1.0 }),
        "f16" => ieee(bits, 5, 10, 15),
        "fp8" | "bf8" if fnuz && bits == 0x80 => f64::NAN,
        "fp8" if fnuz => ieee(bits, 4, 3, 8),
        "bf8" if fnuz => ieee(bits, 5, 2, 16),
        "fp8" if bits & 0x7f == 0x7f => f64::NAN,
        "fp8" => ieee(bits, 4, 3, 7),
        "bf8" if top(5, 2) && bits & 3 != 0 => f64::NAN,
        "bf8" if top(5, 2) => f64::INFINITY.copysign(if bits & 0x80 != 0 { -1.0 } else { 1.0 }),
        "bf8" => ieee(bits, 5, 2, 15),
        "fp6" => ieee(bits, 2, 3, 1),
        "bf6" => ieee(bits, 3, 2, 3),
        "fp4" => ieee(bits, 2, 1, 1),
        "i8" => f64::from(bits as u8 as i8),
        "iu8" if signed => f64::from(bits as u8 as i8),
        "iu4" if signed => f64::from(((bits as u8) << 4) as i8 >> 4),
        "iu8" | "iu4" => bits as f64,
        other => panic!("{other}"),
    }
}

/// Bits of element `item` of a lane.
fn element(registers: &Registers, item: usize, width: usize, lane: usize) -> u64 {
    (0..width).fold(0, |v, k| {
        let bit = item * width + k;
        v | u64::from(registers[bit / 32][lane] >> (bit % 32) & 1) << k
    })
}

/// Row (of A; column of B), k and block of an element of a dense matrix. `size` is M or N.
fn dense(
    f: &Facts,
    case: &Case,
    size: usize,
    kind: &str,
    item: usize,
    lane: usize,
) -> Option<(usize, usize, usize)> {
    let (i, blocks) = (lane % size, case_blocks(f, case));
    let (q, h) = (lane / 16, lane / 16 % 2);
    if case.target.starts_with("gfx9") {
        let after = lane / (size * blocks);
        let k = match (case.name.contains("f8f6f4"), kind) {
            (true, "fp8" | "bf8") => 16 * after + item % 16 + item / 16 * (1024 / size),
            (true, _) => 32 * after + item,
            _ => after * (f.k * size * blocks / 64) + item,
        };
        return Some((i, k, lane / size % blocks));
    }
    let k = match (case.target, case.lanes, width(kind), f.k, f.sparse) {
        ("gfx1100", ..) => item,
        (_, 32, 16, _, false) => 8 * (item / 4) + 4 * h + item % 4,
        (_, 32, 4, 32, false) => 16 * h + item,
        (_, 32, _, _, false) => 8 * h + item,
        (_, 64, 16, _, false) => 8 * (q / 2) + 4 * h + item,
        (_, 64, 8, _, false) => 4 * (q / 2) + 8 * h + item,
        (_, 64, _, 16, false) if q >= 2 => return None,
        (_, 64, _, 16, false) => 8 * q + item,
        (_, 64, _, _, false) => 8 * (q / 2) + 16 * h + item,
        (_, 32, 16, ..) => 16 * (item / 8) + 8 * h + item % 8,
        (_, 32, 4, 64, _) => 32 * h + item,
        (_, 32, ..) => 16 * h + item,
        (_, 64, 16, ..) => 8 * q + item,
        (_, 64, 4, 64, _) => 16 * (q / 2) + 32 * h + item,
        _ => 8 * (q / 2) + 16 * h + item,
    };
    Some((i, k, 0))
}

fn case_blocks(f: &Facts, case: &Case) -> usize {
    if case.target.starts_with("gfx9") { case.widths[0] * 64 * 32 / width(&f.d) / (f.m * f.n) } else { 1 }
}

/// First k of the group of four of a sparse A's pair, and the bit of its indices.
fn group(f: &Facts, case: &Case, pair: usize, lane: usize) -> Option<(usize, usize, usize)> {
    let w = width(&f.types[0]);
    let items = if case.target.starts_with("gfx9") { f.k / 2 * f.m / 64 } else { f.k / 2 * 16 / case.lanes };
    // Half of a wave64 has all of this one's A.
    let items = if case.lanes == 64 && w == 4 && f.k == 32 { 2 * items } else { items };
    let key = if case.target.starts_with("gfx9") {
        if case.fields[0] == 0 { case.fields[1] } else { 0 }
    } else {
        case.fields[3]
    };
    let bit = 4 * pair + key * 2 * items;
    if case.lanes == 64 && w == 4 && f.k == 32 {
        return (lane < 32).then(|| (lane % 16, 16 * (lane / 16) + 4 * pair, bit));
    }
    let (i, k, _) = dense(f, case, f.m, &f.types[0], 4 * pair, lane)?;
    Some((i, k, bit))
}

/// Register, lane, first bit of each element of D, `[block][i][j]`.
fn results(f: &Facts, case: &Case) -> BTreeMap<(usize, usize, usize), (usize, usize, usize)> {
    let mut at = BTreeMap::new();
    for lane in 0..case.lanes {
        for register in 0..case.widths[0] {
            let (q, h) = (lane / 16, lane / 16 % 2);
            let mut add = |block, i, bit| at.insert((block, i, lane % f.n), (register, lane, bit));
            match (case.target, f.m, case.lanes, f.d.as_str()) {
                (_, 32, ..) => {
                    add(register / 16, 8 * (register % 16 / 4) + 4 * (lane / 32) + register % 4, 0)
                }
                (_, 4, _, "f64") if register % 2 == 0 => add(q_of(lane, 4) % 4, lane / 16, 0),
                (_, 4, _, "f64") | ("gfx90a" | "gfx942" | "gfx950", 16, _, "f64") if register % 2 == 1 => {
                    None
                }
                (_, 4, ..) => add(lane / 4, register, 0),
                ("gfx90a" | "gfx942" | "gfx950", _, _, "f64") => add(0, 4 * (register / 2) + q, 0),
                ("gfx90a" | "gfx942" | "gfx950", ..) => add(register / 4, 4 * q + register % 4, 0),
                ("gfx1100", _, lanes, d) => {
                    let high = width(d) == 16 && case.op_sel[0] & 4 != 0;
                    add(0, lanes / 16 * register + q, if high { 16 } else { 0 })
                }
                (_, _, 32, d) if width(d) == 16 => {
                    add(0, 8 * h + 2 * register, 0);
                    add(0, 8 * h + 2 * register + 1, 16)
                }
                (_, _, _, d) if width(d) == 16 => {
                    add(0, 8 * h + 4 * (q / 2) + 2 * register, 0);
                    add(0, 8 * h + 4 * (q / 2) + 2 * register + 1, 16)
                }
                (_, _, 32, _) => add(0, 8 * h + register, 0),
                _ => add(0, 8 * h + 4 * (q / 2) + register, 0),
            };
        }
    }
    at
}

fn q_of(lane: usize, size: usize) -> usize {
    lane / size
}

fn pattern(blgp: usize, lane: usize) -> usize {
    match blgp {
        0 => lane,
        1 => lane & 31,
        2 => lane | 32,
        3 => (lane + 16) & 63,
        quarter => 16 * (quarter & 3) + (lane & 15),
    }
}

/// The registers of D, with those of C in the parts that are not written.
pub(crate) fn product(case: &Case, inputs: &Inputs) -> Registers {
    let f = facts(case);
    let open = case.name.contains("f8f6f4");
    let fnuz = case.target == "gfx942";
    let flush = case.target == "gfx90a" && width(&f.types[0]) == 16;
    let least = if f.types[0] == "f16" { 2f64.powi(-14) } else { 2f64.powi(-126) };
    let flushed = |x: f64, least: f64| if flush && x.abs() < least { 0.0 * x } else { x };
    let read = |side: usize, registers: &Registers, item: usize, lane: usize| {
        let kind = f.types[side].as_str();
        let bits = element(registers, item, width(kind), lane);
        let x = flushed(value(kind, bits, case.neg[0] >> side & 1 == 1, fnuz), least);
        let part = if width(kind) == 16 { item % 2 } else { 0 };
        if f.d != "i32" && case.neg[part] >> side & 1 == 1 { -x } else { x }
    };
    let items = |side: usize| case.widths[side + 1] * 32 / width(&f.types[side]).max(4);
    let mut b = BTreeMap::new();
    for lane in 0..case.lanes {
        for item in 0..items(1).min(if open { 32 } else { 64 }) {
            let from = if open || f.d == "f64" { lane } else { pattern(case.fields[2], lane) };
            let Some((j, k, block)) = dense(&f, case, f.n, &f.types[1], item, lane) else { continue };
            b.entry((block, k, j)).or_insert_with(|| read(1, &inputs.b, item, from));
        }
    }
    // The terms of each row, in the order in which they are added.
    let mut a: BTreeMap<(usize, usize), Vec<(usize, f64)>> = BTreeMap::new();
    for lane in 0..case.lanes {
        for item in 0..items(0).min(if open { 32 } else { 64 }) {
            if f.sparse {
                let Some((i, first, bit)) = group(&f, case, item / 2, lane) else { continue };
                let position = inputs.index[lane] >> (bit + item % 2 * 2) & 3;
                let x = read(0, &inputs.a, item, lane);
                // Twice the group, and the order within it, sort as the pairs do.
                a.entry((0, i)).or_default().push((2 * first + 4 * (item % 2) + position as usize, x));
            } else if let Some((i, k, block)) = dense(&f, case, f.m, &f.types[0], item, lane) {
                let x = read(0, &inputs.a, item, lane);
                let row = a.entry((block, i)).or_default();
                if row.iter().all(|&(at, _)| at != k) {
                    row.push((k, x));
                }
            }
        }
    }
    for row in a.values_mut() {
        row.sort_by_key(|&(at, _)| if f.sparse { at & !3 } else { at });
    }
    let at = results(&f, case);
    let mut out = inputs.c.clone();
    for (&(block, i, j), &(register, lane, bit)) in &at {
        let d_bits = width(&f.d);
        let c = match case.constant {
            Some(c) => c,
            None if f.d == "i32" => f64::from(inputs.c[register][lane].cast_signed()),
            None => {
                let low = u64::from(inputs.c[register][lane]) >> bit & if d_bits == 16 { 0xffff } else { !0 };
                let high = if d_bits == 64 { u64::from(inputs.c[register + 1][lane]) << 32 } else { 0 };
                value(&f.d, low | high, false, false)
            }
        };
        let c = flushed(c, 2f64.powi(-126));
        let c = if case.neg[1] & 4 != 0 { c.abs() } else { c };
        let c = if f.d != "i32" && case.neg[0] & 4 != 0 { -c } else { c };
        let from =
            if f.sparse || open { block } else { block >> case.fields[0] << case.fields[0] | case.fields[1] };
        let terms: Vec<(usize, f64, f64)> = a[&(from, i)]
            .iter()
            .map(|&(at, x)| {
                let k = if f.sparse { at / 8 * 4 + at % 4 } else { at };
                (k, x, b[&(block, k, j)])
            })
            .collect();
        let bits = sum(&f, case, inputs, &terms, c, (i, j));
        let bits = if flush && (bits as u32 & 0x7fff_ffff) < 0x0080_0000 { bits & 0x8000_0000 } else { bits };
        if d_bits == 16 {
            out[register][lane] = out[register][lane] & !(0xffff << bit) | (bits as u32) << bit;
        } else {
            out[register][lane] = bits as u32;
            if d_bits == 64 {
                out[register + 1][lane] = (bits >> 32) as u32;
            }
        }
    }
    out
}

/// One element of the result, as bits.
fn sum(
    f: &Facts,
    case: &Case,
    inputs: &Inputs,
    terms: &[(usize, f64, f64)],
    c: f64,
    (i, j): (usize, usize),
) -> u64 {
    match f.d.as_str() {
        "f64" => nan64(terms.iter().fold(c, |sum, &(_, x, y)| x.mul_add(y, sum))),
        "i32" => {
            let all = terms.iter().fold(c, |sum, &(_, x, y)| sum + x * y);
            let all = if case.clamp { all.clamp(-2147483648.0, 2147483647.0) } else { all };
            u64::from((all as i64) as u32)
        }
        _ if case.name.contains("f8f6f4") => {
            let scaled = case.name.contains("scale");
            let scale = |side: usize, size: usize, row: usize, block: usize| {
                let byte = case.op_sel[0] >> side & 1 | (case.op_sel[1] >> side & 1) << 1;
                let code = inputs.scales[side][(block * size + row) % 64] >> (8 * byte) & 0xff;
                if code == 255 { f64::NAN } else { 2f64.powi(code as i32 - 127) }
            };
            let mut sum = c as f32;
            for (block, terms) in terms.chunks(32).enumerate() {
                let dot: f64 = terms.iter().fold(0.0, |sum, &(_, x, y)| sum + x * y);
                let by = if scaled { scale(0, f.m, i, block) * scale(1, f.n, j, block) } else { 1.0 };
                sum = add(dot * by, sum);
            }
            u64::from(nan32(sum))
        }
        d => {
            let sum = terms.iter().fold(c as f32, |sum, &(_, x, y)| (x as f32).mul_add(y as f32, sum));
            match d {
                "f16" => u64::from(crate::float::to_half(f64::from(sum))),
                "bf16" if sum.is_nan() => 0x7fc0,
                "bf16" => {
                    let (low, high) =
                        (sum.to_bits() & !0xffff, (sum.to_bits() & !0xffff).wrapping_add(0x1_0000));
                    let middle = low | 0x8000;
                    let up = sum.to_bits() > middle || sum.to_bits() == middle && low >> 16 & 1 == 1;
                    u64::from(if up { high } else { low } >> 16)
                }
                _ => u64::from(nan32(sum)),
            }
        }
    }
}

/// A sum of an f64 and an f32 with one rounding to f32: the f64 sum's error decides where it lies halfway.
fn add(x: f64, y: f32) -> f32 {
    let y = f64::from(y);
    let sum = x + y;
    let rounded = sum as f32;
    let back = sum - x;
    let error = (x - (sum - back)) + (y - back);
    if !sum.is_finite() || error == 0.0 || f64::from(rounded) == sum {
        return rounded;
    }
    // Towards the error by the least step, which the conversion then sees.
    let away = (error > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    let halfway = bits & 0x1fff_ffff == 0x1000_0000 || sum.abs() < 2f64.powi(-120);
    if !halfway {
        return rounded;
    }
    f64::from_bits(if away { bits + 1 } else { bits - 1 }) as f32
}

fn nan32(x: f32) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
}

fn nan64(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8 << 48 } else { x.to_bits() }
}
