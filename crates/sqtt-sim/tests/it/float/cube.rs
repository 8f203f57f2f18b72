//! Vector floats: faces of a cube, and the bits of 2/π.

use super::*;

type Face = (f32, f32, f32, f32);
type Pick = fn(Face) -> f32;

/// Face, s, t and twice the major axis of a direction that is no NaN, by the sign of the axis that wins.
fn face([x, y, z]: [f32; 3]) -> Face {
    let largest = x.abs().max(y.abs()).max(z.abs());
    if z.abs() == largest {
        if z < 0.0 { (5.0, -x, -y, 2.0 * z) } else { (4.0, x, -y, 2.0 * z) }
    } else if y.abs() == largest {
        if y < 0.0 { (3.0, x, -z, 2.0 * y) } else { (2.0, x, z, 2.0 * y) }
    } else if x < 0.0 {
        (1.0, z, -y, 2.0 * x)
    } else {
        (0.0, -z, -y, 2.0 * x)
    }
}

/// Sources 0 to 2, a NaN made 1, as the tests' instructions do it.
fn direction(i: &[u32; 8]) -> [f32; 3] {
    [0, 1, 2].map(|k| if f(i[k]).is_nan() { 1.0 } else { f(i[k]) })
}

macro_rules! cube {
    ($name:literal) => {
        concat!(
            "v_cmp_u_f32 vcc, v10, v10\n\tv_cndmask_b32 v2, v10, v8, vcc\n\tv_cmp_u_f32 vcc, v11, v11\n\t",
            "v_cndmask_b32 v3, v11, v8, vcc\n\tv_cmp_u_f32 vcc, v12, v12\n\tv_cndmask_b32 v4, v12, v8, vcc\n\t",
            $name,
            " v20, v2, v3, v4"
        )
    };
}

/// Cases for wave64's spelling of VCC, and for wave32's.
fn check_cubes(targets: &[(&str, u8)], vcc: &str) {
    const NAMES: [(&str, Pick); 4] = [
        (cube!("v_cubeid_f32"), |x| x.0),
        (cube!("v_cubesc_f32"), |x| x.1),
        (cube!("v_cubetc_f32"), |x| x.2),
        (cube!("v_cubema_f32"), |x| x.3),
    ];
    let clang = asm::clang();
    let inputs = inputs();
    for &target in targets {
        let texts: Vec<String> = NAMES
            .iter()
            .map(|(text, _)| format!("v_mov_b32 v8, 1.0\n\t{}", text.replace("vcc", vcc)))
            .collect();
        let results = asm::run_cases(&clang, target, &inputs, &texts);
        for ((text, pick), lanes) in NAMES.iter().zip(&results) {
            for (l, got) in lanes.iter().enumerate() {
                let want = pick(face(direction(&inputs[l])));
                assert_eq!(got[0], want.to_bits(), "{} {text} lane {l}: {} {want}", target.0, f(got[0]));
            }
        }
    }
}

#[test]
fn faces_of_cubes() {
    check_cubes(&[("gfx90a", 9), ("gfx942", 9)], "vcc");
    check_cubes(&[("gfx1030", 10), ("gfx1100", 11), ("gfx1200", 12)], "vcc_lo");
}

/// The product with an angle, reduced by compilers' code, needs the segments of 2/π by the angle's exponent: for
/// angles below 2^54 they are its first places.
#[test]
fn segments_of_two_over_pi() {
    const CASES: &[Case] = &[
        (
            9..=12,
            "v_mov_b32 v2, 0\n\tv_mov_b32 v3, 0x3ff00000\n\tv_trig_preop_f64 v[20:21], v[2:3], 0",
            |_| {
                // The first 53 places of 0.63661977236758134308, cut.
                two(0.636_619_772_367_581_3)
            },
        ),
        (
            9..=12,
            "v_mov_b32 v2, 0\n\tv_mov_b32 v3, 0x3ff00000\n\tv_trig_preop_f64 v[20:21], v[2:3], 1",
            |_| two(second()),
        ),
    ];
    check(CASES);
}

/// 2/π = 0x0.A2F9836E4E441529FC2757D1F534DDC0…: places 53 to 105.
fn second() -> f64 {
    let places: u128 = 0xa2f9_836e_4e44_1529_fc27_57d1_f534_ddc0;
    let bits = (places >> (128 - 106)) & ((1 << 53) - 1);
    bits as f64 * 2f64.powi(-106)
}
