//! Vector floats: conversions.

use super::*;

const CASES: &[Case] = &[
    (9..=12, "v_cvt_i32_f32 v20, v10", |i| {
        let x = f64::from(f(i[0]));
        int(if x.is_nan() { 0 } else { x.trunc().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_u32_f32 v20, v10", |i| {
        let x = f64::from(f(i[0]));
        int(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 })
    }),
    (9..=12, "v_cvt_f32_u32 v20, v12", |i| one(i[2] as f32)),
    (9..=12, "v_cvt_f32_ubyte3 v20, v10", |i| one((i[0] >> 24) as f32)),
    (9..=10, "v_cvt_pkrtz_f16_f32 v20, v12, 1.0", |i| {
        let x = f64::from(f(i[2]));
        let near = to_half(x);
        let over = half(near).abs() > x.abs();
        int((if x.is_finite() && over { near - 1 } else { near }) | 0x3c00 << 16)
    }),
    (9..=9, "v_cvt_f16_f32 v20, v10", |i| {
        let r = to_half(f64::from(f(i[0])));
        int(r)
    }),
    (9..=12, "v_cvt_i32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]);
        int(if x.is_nan() { 0 } else { x.trunc().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_f32_f64 v20, v[14:15]", |i| one(d(i[4], i[5]) as f32)),
    (9..=12, "v_cvt_f64_f32 v[20:21], v10", |i| two(f64::from(f(i[0])))),
    (10..=10, "v_cvt_u16_f16 v20, v13", |i| {
        let x = h0(i);
        int(lo(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 65535.0) as u32 }))
    }),
    (10..=10, "v_cvt_i16_f16 v20, v13", |i| {
        let x = h0(i);
        int(lo(if x.is_nan() { 0 } else { x.trunc().clamp(-32768.0, 32767.0) as i32 as u32 }))
    }),
    (10..=10, "v_cvt_f16_i16 v20, v13", |i| h(f64::from(i[3] as i16))),
    (10..=10, "v_cvt_f16_u16 v20, v13", |i| h(f64::from(i[3] as u16))),
    (9..=9, "v_cvt_rpi_i32_f32 v20, v12", |i| {
        let x = f64::from(f(i[2]));
        int(if x.is_nan() { 0 } else { (x + 0.5).floor().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (11..=12, "v_cvt_floor_i32_f32 v20, v12", |i| {
        let x = f64::from(f(i[2]));
        int(if x.is_nan() { 0 } else { x.floor().clamp(-2147483648.0, 2147483647.0) as i32 as u32 })
    }),
    (9..=12, "v_cvt_f32_ubyte1 v20, v12\n\tv_cvt_f32_ubyte2 v21, v12", |i| {
        [((i[2] / 256 % 256) as f32).to_bits(), ((i[2] / 65536 % 256) as f32).to_bits()]
    }),
    (9..=10, "v_cvt_pknorm_i16_f32 v20, v12, -1.0", |i| {
        let x = f(i[2]);
        let r = if x.is_nan() { 0.0 } else { (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() };
        int(r as i32 as u32 & 0xffff | 0x8001 << 16)
    }),
    (9..=12, "v_cvt_f64_i32 v[20:21], v12", |i| two(f64::from(i[2] as i32))),
    (9..=12, "v_cvt_u32_f64 v20, v[14:15]", |i| {
        let x = d(i[4], i[5]);
        int(if x.is_nan() { 0 } else { x.trunc().clamp(0.0, 4294967295.0) as u32 })
    }),
    (9..=10, "v_cvt_f32_f16 v20, v13", |i| one(h0(i) as f32)),
    (11..=11, "v_cvt_f32_f16 v20, v13.h", |i| one(h1(i) as f32)),
    (12..=12, "v_cvt_f32_f16 v20, v13", |i| one(h0(i) as f32)),
    (9..=12, "v_cvt_f32_i32 v20, v10", |i| one(i[0] as i32 as f32)),
    (9..=12, "v_cvt_f32_ubyte0 v20, v10", |i| one((i[0] % 256) as f32)),
    (9..=12, "v_cvt_f64_u32 v[20:21], v10", |i| two(f64::from(i[0]))),
    (9..=12, "v_cvt_pknorm_u16_f32 v20, v12, 1.0", |i| {
        let x = f(i[2]);
        let r = if x.is_nan() { 0.0 } else { (x.clamp(0.0, 1.0) * 65535.0).round_ties_even() };
        int(r as u32 | 0xffff << 16)
    }),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
