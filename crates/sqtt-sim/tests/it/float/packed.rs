//! Vector floats: packed and mixed forms.

use super::*;

const CASES: &[Case] = &[
    (9..=12, "v_pk_add_f16 v20, v13, v13 op_sel:[0,1] op_sel_hi:[0,1] neg_lo:[0,1]", |i| {
        let (a, b) = (half(i[3] & 0xffff), half(i[3] >> 16));
        int(to_half(a - b) | to_half(a + b) << 16)
    }),
    (9..=12, "v_pk_mul_f16 v20, v13, 2.0 op_sel_hi:[1,0]", |i| {
        int(to_half(half(i[3] & 0xffff) * 2.0) | to_half(half(i[3] >> 16) * 2.0) << 16)
    }),
    (9..=12, "v_fma_mix_f32 v20, v13, v13, v10 op_sel:[0,1,0] op_sel_hi:[1,1,0]", |i| {
        one((half(i[3] & 0xffff) as f32).mul_add(half(i[3] >> 16) as f32, f(i[0])))
    }),
    (9..=9, "v_pk_fma_f32 v[20:21], v[10:11], v[10:11], v[12:13] op_sel:[0,1,0] op_sel_hi:[1,0,0]", |i| {
        let r = f(i[0]).mul_add(f(i[1]), f(i[2]));
        [r.to_bits(), r.to_bits()]
    }),
    (9..=9, "v_pk_mul_f32 v[20:21], v[10:11], v[12:13] op_sel_hi:[0,0] neg_hi:[1,0]", |i| {
        [(f(i[0]) * f(i[2])).to_bits(), (-f(i[0]) * f(i[2])).to_bits()]
    }),
    (9..=12, "v_pk_fma_f16 v20, v13, v13, v13 op_sel_hi:[0,1,1]", |i| {
        int(to_half(h0(i) * h0(i) + h0(i)) | to_half(h0(i) * h1(i) + h1(i)) << 16)
    }),
    (9..=12, "v_fma_mixhi_f16 v20, v13, v13, 1.0 op_sel_hi:[1,1,0]", |i| {
        let r = (h0(i) as f32).mul_add(h0(i) as f32, 1.0);
        int(KEEP & 0xffff | to_half(f64::from(r)) << 16)
    }),
    (9..=9, "v_pk_add_f32 v[20:21], v[10:11], v[12:13] op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0]", |i| {
        [(f(i[3]) - f(i[0])).to_bits(), (f(i[1]) + f(i[2])).to_bits()]
    }),
    (9..=12, "v_fma_mixlo_f16 v20, v13, v13, 1.0 op_sel:[0,1,0] op_sel_hi:[1,1,0]", |i| {
        let r = (h0(i) as f32).mul_add(h1(i) as f32, 1.0);
        int(KEEP & 0xffff_0000 | to_half(f64::from(r)))
    }),
];

#[test]
fn at_edge_values() {
    check(CASES);
}
