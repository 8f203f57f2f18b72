//! Read-modify-write operations, shared by global, flat, buffer and LDS atomics.

use crate::fp;
use crate::memory::op::{MemOp, Rmw};

fn f32s(old: u64, data: u64, f: impl Fn([f32; 2]) -> f32) -> u64 {
    u64::from(f([f32::from_bits(old as u32), f32::from_bits(data as u32)]).to_bits())
}

fn f64s(old: u64, data: u64, f: impl Fn([f64; 2]) -> f64) -> u64 {
    f([f64::from_bits(old), f64::from_bits(data)]).to_bits()
}

fn i32s(old: u64, data: u64, f: impl Fn(i32, i32) -> i32) -> u64 {
    u64::from(f(old as i32, data as i32).cast_unsigned())
}

fn u32s(old: u64, data: u64, f: impl Fn(u32, u32) -> u32) -> u64 {
    u64::from(f(old as u32, data as u32))
}

fn halves(old: u64, data: u64, f: impl Fn(u32, u32) -> u32) -> u64 {
    let (o, d) = (old as u32, data as u32);
    u64::from(f(o & 0xffff, d & 0xffff) & 0xffff | f(o >> 16, d >> 16) << 16)
}

fn bf16(x: u32) -> f32 {
    f32::from_bits(x << 16)
}

/// Name, bytes, function; a third function argument is the value compared with.
type AtomicRow = (&'static str, u8, Rmw);

/// Names without `atomic_` and `_rtn`: CDNA and RDNA2 spellings first, then RDNA3 and RDNA4, then LDS.
const TABLE: &[AtomicRow] = &[
    ("add add_u32", 4, |o, d, _| u32s(o, d, u32::wrapping_add)),
    ("add_x2 add_u64", 8, |o, d, _| o.wrapping_add(d)),
    ("sub sub_u32", 4, |o, d, _| u32s(o, d, u32::wrapping_sub)),
    ("sub_x2 sub_u64", 8, |o, d, _| o.wrapping_sub(d)),
    ("rsub_u32", 4, |o, d, _| u32s(d, o, u32::wrapping_sub)),
    ("rsub_u64", 8, |o, d, _| d.wrapping_sub(o)),
    ("csub csub_u32 sub_clamp_u32", 4, |o, d, _| u32s(o, d, u32::saturating_sub)),
    ("cond_sub_u32", 4, |o, d, _| u32s(o, d, |o, d| if o >= d { o - d } else { o })),
    ("swap swap_b32 wrxchg_b32 storexchg_b32", 4, |_, d, _| d),
    ("swap_x2 swap_b64 wrxchg_b64 storexchg_b64", 8, |_, d, _| d),
    ("smin min_i32", 4, |o, d, _| i32s(o, d, i32::min)),
    ("smin_x2 min_i64", 8, |o, d, _| o.cast_signed().min(d.cast_signed()).cast_unsigned()),
    ("smax max_i32", 4, |o, d, _| i32s(o, d, i32::max)),
    ("smax_x2 max_i64", 8, |o, d, _| o.cast_signed().max(d.cast_signed()).cast_unsigned()),
    ("umin min_u32", 4, |o, d, _| u32s(o, d, u32::min)),
    ("umin_x2 min_u64", 8, |o, d, _| o.min(d)),
    ("umax max_u32", 4, |o, d, _| u32s(o, d, u32::max)),
    ("umax_x2 max_u64", 8, |o, d, _| o.max(d)),
    ("and and_b32", 4, |o, d, _| o & d),
    ("and_x2 and_b64", 8, |o, d, _| o & d),
    ("or or_b32", 4, |o, d, _| o | d),
    ("or_x2 or_b64", 8, |o, d, _| o | d),
    ("xor xor_b32", 4, |o, d, _| o ^ d),
    ("xor_x2 xor_b64", 8, |o, d, _| o ^ d),
    ("inc inc_u32", 4, |o, d, _| u32s(o, d, |o, d| if o >= d { 0 } else { o + 1 })),
    ("inc_x2 inc_u64", 8, |o, d, _| if o >= d { 0 } else { o + 1 }),
    ("dec dec_u32", 4, |o, d, _| u32s(o, d, |o, d| if o == 0 || o > d { d } else { o - 1 })),
    ("dec_x2 dec_u64", 8, |o, d, _| if o == 0 || o > d { d } else { o - 1 }),
    ("add_f32", 4, |o, d, _| f32s(o, d, fp::add)),
    ("add_f64", 8, |o, d, _| f64s(o, d, fp::add_d)),
    ("fmin min_f32 min_num_f32", 4, |o, d, _| f32s(o, d, |s| fp::widen(s, fp::min_num))),
    ("fmax max_f32 max_num_f32", 4, |o, d, _| f32s(o, d, |s| fp::widen(s, fp::max_num))),
    ("fmin_x2 min_f64 min_num_f64", 8, |o, d, _| f64s(o, d, fp::min_num)),
    ("fmax_x2 max_f64 max_num_f64", 8, |o, d, _| f64s(o, d, fp::max_num)),
    ("pk_add_f16", 4, |o, d, _| {
        halves(o, d, |o, d| fp::to16(fp::add_d([fp::from16(o), fp::from16(d)]), false))
    }),
    ("pk_add_bf16", 4, |o, d, _| halves(o, d, |o, d| fp::to_bf16(fp::add([bf16(o), bf16(d)])))),
];

const COMPARE: &[AtomicRow] = &[
    ("cmpswap cmpswap_b32 cmpst_b32 cmpstore_b32", 4, |o, d, c| if o == c { d } else { o }),
    ("cmpswap_x2 cmpswap_b64 cmpst_b64 cmpstore_b64", 8, |o, d, c| if o == c { d } else { o }),
    ("fcmpswap cmpswap_f32 cmpst_f32 cmpstore_f32", 4, |o, d, c| {
        if f32::from_bits(o as u32) == f32::from_bits(c as u32) { d } else { o }
    }),
    (
        "fcmpswap_x2 cmpst_f64 cmpstore_f64",
        8,
        |o, d, c| if f64::from_bits(o) == f64::from_bits(c) { d } else { o },
    ),
    ("mskor_b32", 4, |o, d, c| o & !c | d),
];

/// Before gfx12 AMD's documents compare (`data < old`) where LLVM counts on IEEE minimum and maximum.
const OPEN: [&str; 8] = ["fmin", "min_f32", "fmax", "max_f32", "fmin_x2", "min_f64", "fmax_x2", "max_f64"];

/// True where the two readings differ: a NaN, or zeros of both signs.
pub(crate) fn unsettled(old: u64, data: u64, bytes: u8) -> bool {
    let float = |x: u64| if bytes == 4 { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x) };
    let (a, b) = (float(old), float(data));
    a.is_nan() || b.is_nan() || a == 0.0 && b == 0.0 && old != data
}

/// Looks up `atomic_add_u32`, `add_rtn_u32`, `add_u32`, …
pub(crate) fn operation(name: &str) -> Option<MemOp> {
    let name = name.strip_prefix("atomic_").unwrap_or(name).replace("_rtn", "");
    let find = |table: &[AtomicRow], compare| {
        let row = table.iter().find(|(names, ..)| names.split(' ').any(|n| n == name));
        let open = OPEN.contains(&name.as_str());
        row.map(|&(_, bytes, f)| MemOp::Atomic { bytes, f, compare, open })
    };
    find(TABLE, false).or_else(|| find(COMPARE, true))
}
