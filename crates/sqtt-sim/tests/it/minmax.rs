//! Minimum, maximum, median and their compositions: NaN of both kinds, zeros of both signs.

use crate::float::{self, d, f, half, int, lo, one, to_half, two};

/// A number, and whether it is a signalling NaN.
#[derive(Clone, Copy)]
struct N {
    value: f64,
    signalling: bool,
}

const NAN: N = N { value: f64::NAN, signalling: false };
const ONE: N = N { value: 1.0, signalling: false };
const TWO: N = N { value: 2.0, signalling: false };
const ZERO: N = N { value: 0.0, signalling: false };

fn h(bits: u32) -> N {
    N { value: half(bits & 0xffff), signalling: half(bits & 0xffff).is_nan() && bits & 0x200 == 0 }
}

fn s(bits: u32) -> N {
    N { value: f64::from(f(bits)), signalling: f(bits).is_nan() && bits & 0x40_0000 == 0 }
}

fn w(low: u32, high: u32) -> N {
    N { value: d(low, high), signalling: d(low, high).is_nan() && high & 0x8_0000 == 0 }
}

fn neg(x: N) -> N {
    N { value: -x.value, ..x }
}

/// With MODE.IEEE a signalling NaN wins; otherwise a NaN loses. -0 is below +0.
fn low(ieee: bool, a: N, b: N) -> N {
    if ieee && (a.signalling || b.signalling) {
        return NAN;
    }
    match (a.value.is_nan(), b.value.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a.value.total_cmp(&b.value).is_le() => a,
        _ => b,
    }
}

fn high(ieee: bool, a: N, b: N) -> N {
    neg(low(ieee, neg(a), neg(b)))
}

/// A NaN wins.
fn minimum(a: N, b: N) -> N {
    if a.value.is_nan() || b.value.is_nan() { NAN } else { low(false, a, b) }
}

fn maximum(a: N, b: N) -> N {
    neg(minimum(neg(a), neg(b)))
}

/// Without a NaN: the first that equals the largest goes, the larger of the others stays.
fn median(ieee: bool, v: [N; 3]) -> N {
    if v.iter().any(|x| x.value.is_nan()) {
        return low(ieee, low(ieee, v[0], v[1]), v[2]);
    }
    let top = v.iter().fold(f64::NEG_INFINITY, |t, x| t.max(x.value));
    let first = v.iter().position(|x| x.value == top).unwrap();
    high(false, v[usize::from(first == 0)], v[2 - usize::from(first == 2)])
}

/// gfx10 and later keep the upper half.
fn h16(x: N) -> [u32; 2] {
    int(lo(to_half(x.value)))
}

fn f32(x: N) -> [u32; 2] {
    one(x.value as f32)
}

/// Two halves, from `f` of the halves and of the halves swapped.
fn both(i: &[u32; 8], f: fn(N, N) -> N) -> [u32; 2] {
    let (a, b) = (h(i[3]), h(i[3] >> 16));
    int(to_half(f(a, b).value) | to_half(f(b, a).value) << 16)
}

fn sources(i: &[u32; 8]) -> [N; 3] {
    [s(i[0]), s(i[1]), s(i[2])]
}

/// `v2` holds the upper half of `v13`.
macro_rules! hi {
    ($text:literal) => {
        concat!("v_lshrrev_b32 v2, 16, v13\n\t", $text)
    };
}

macro_rules! swapped {
    ($name:literal) => {
        concat!($name, " v20, v13, v13 op_sel:[0,1] op_sel_hi:[1,0]")
    };
}

const HALVES: &[float::Case] = &[
    (9..=9, hi!("v_min3_f16 v20, v13, v2, 1.0"), |i| {
        int(to_half(low(true, low(true, h(i[3]), h(i[3] >> 16)), ONE).value))
    }),
    (10..=10, hi!("v_min3_f16 v20, v13, v2, 1.0"), |i| {
        h16(low(true, low(true, h(i[3]), h(i[3] >> 16)), ONE))
    }),
    (10..=10, hi!("v_max3_f16 v20, 1.0, v2, v13"), |i| {
        h16(high(true, high(true, ONE, h(i[3] >> 16)), h(i[3])))
    }),
    (10..=10, hi!("v_med3_f16 v20, v13, v2, 1.0"), |i| h16(median(true, [h(i[3]), h(i[3] >> 16), ONE]))),
    (10..=10, hi!("v_med3_f16 v20, 0, v2, v13"), |i| h16(median(true, [ZERO, h(i[3] >> 16), h(i[3])]))),
    (11..=11, "v_med3_f16 v20.l, v13.h, 1.0, v13.l", |i| h16(median(true, [h(i[3] >> 16), ONE, h(i[3])]))),
    (11..=11, "v_maxmin_f16 v20.l, v13.l, v13.h, 1.0", |i| {
        h16(low(true, high(true, h(i[3]), h(i[3] >> 16)), ONE))
    }),
    (11..=11, "v_minmax_f16 v20.l, 1.0, v13.h, v13.l", |i| {
        h16(high(true, low(true, ONE, h(i[3] >> 16)), h(i[3])))
    }),
    (12..=12, hi!("v_max_num_f16 v20, v13, v2"), |i| h16(high(false, h(i[3]), h(i[3] >> 16)))),
    (12..=12, hi!("v_minimum_f16 v20, v13, v2"), |i| h16(minimum(h(i[3]), h(i[3] >> 16)))),
    (12..=12, hi!("v_min3_num_f16 v20, v13, v2, 1.0"), |i| {
        h16(low(false, low(false, h(i[3]), h(i[3] >> 16)), ONE))
    }),
    (12..=12, hi!("v_max3_num_f16 v20, v2, 1.0, v13"), |i| {
        h16(high(false, high(false, h(i[3] >> 16), ONE), h(i[3])))
    }),
    (12..=12, hi!("v_med3_num_f16 v20, v2, 1.0, v13"), |i| h16(median(false, [h(i[3] >> 16), ONE, h(i[3])]))),
    (12..=12, hi!("v_maxmin_num_f16 v20, v2, v13, 2.0"), |i| {
        h16(low(false, high(false, h(i[3] >> 16), h(i[3])), TWO))
    }),
    (12..=12, hi!("v_minimum3_f16 v20, v2, v13, 2.0"), |i| {
        h16(minimum(minimum(h(i[3] >> 16), h(i[3])), TWO))
    }),
    (12..=12, hi!("v_maximum3_f16 v20, 2.0, v2, v13"), |i| {
        h16(maximum(maximum(TWO, h(i[3] >> 16)), h(i[3])))
    }),
    (12..=12, hi!("v_minimummaximum_f16 v20, v2, v13, 1.0"), |i| {
        h16(maximum(minimum(h(i[3] >> 16), h(i[3])), ONE))
    }),
    (12..=12, hi!("v_maximumminimum_f16 v20, 1.0, v2, v13"), |i| {
        h16(minimum(maximum(ONE, h(i[3] >> 16)), h(i[3])))
    }),
    (9..=11, swapped!("v_pk_min_f16"), |i| both(i, |a, b| low(true, a, b))),
    (9..=11, swapped!("v_pk_max_f16"), |i| both(i, |a, b| high(true, a, b))),
    (12..=12, swapped!("v_pk_min_num_f16"), |i| both(i, |a, b| low(false, a, b))),
    (12..=12, swapped!("v_pk_max_num_f16"), |i| both(i, |a, b| high(false, a, b))),
    (12..=12, swapped!("v_pk_minimum_f16"), |i| both(i, minimum)),
    (12..=12, swapped!("v_pk_maximum_f16"), |i| both(i, maximum)),
];

const SINGLES: &[float::Case] =
    &[
        (9..=11, "v_min3_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(low(true, low(true, a, b), c))
        }),
        (9..=11, "v_max3_f32 v20, v12, v11, v10", |i| {
            let [a, b, c] = sources(i);
            f32(high(true, high(true, c, b), a))
        }),
        (9..=11, "v_med3_f32 v20, v10, v11, v12", |i| f32(median(true, sources(i)))),
        (9..=11, "v_med3_f32 v20, v10, v11, 0", |i| f32(median(true, [s(i[0]), s(i[1]), ZERO]))),
        (11..=11, "v_maxmin_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(low(true, high(true, a, b), c))
        }),
        (11..=11, "v_minmax_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(high(true, low(true, a, b), c))
        }),
        (12..=12, "v_max_num_f32 v20, v10, v11", |i| f32(high(false, s(i[0]), s(i[1])))),
        (12..=12, "v_minimum_f32 v20, v10, v11", |i| f32(minimum(s(i[0]), s(i[1])))),
        (12..=12, "v_min3_num_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(low(false, low(false, a, b), c))
        }),
        (12..=12, "v_max3_num_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(high(false, high(false, a, b), c))
        }),
        (12..=12, "v_med3_num_f32 v20, v10, v11, v12", |i| f32(median(false, sources(i)))),
        (12..=12, "v_minmax_num_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(high(false, low(false, a, b), c))
        }),
        (12..=12, "v_minimum3_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(minimum(minimum(a, b), c))
        }),
        (12..=12, "v_maximum3_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(maximum(maximum(a, b), c))
        }),
        (12..=12, "v_minimummaximum_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(maximum(minimum(a, b), c))
        }),
        (12..=12, "v_maximumminimum_f32 v20, v10, v11, v12", |i| {
            let [a, b, c] = sources(i);
            f32(minimum(maximum(a, b), c))
        }),
        (9..=11, "v_min_f64 v[20:21], v[14:15], v[16:17]", |i| {
            two(low(true, w(i[4], i[5]), w(i[6], i[7])).value)
        }),
        (12..=12, "v_min_num_f64 v[20:21], v[14:15], v[16:17]", |i| {
            two(low(false, w(i[4], i[5]), w(i[6], i[7])).value)
        }),
        (12..=12, "v_max_num_f64 v[20:21], v[14:15], v[16:17]", |i| {
            two(high(false, w(i[4], i[5]), w(i[6], i[7])).value)
        }),
        (12..=12, "v_maximum_f64 v[20:21], v[14:15], v[16:17]", |i| {
            two(maximum(w(i[4], i[5]), w(i[6], i[7])).value)
        }),
        // A signalling f64: the quiet one of the sources with its bit cleared.
        (9..=11, "v_and_b32 v17, 0xfff7ffff, v17\n\tv_max_f64 v[20:21], v[14:15], v[16:17]", |i| {
            two(high(true, w(i[4], i[5]), w(i[6], i[7] & 0xfff7_ffff)).value)
        }),
    ];

#[test]
fn halves() {
    float::check(HALVES);
}

#[test]
fn singles_and_doubles() {
    float::check(SINGLES);
}
