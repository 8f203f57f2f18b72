//! Bounds of what is not known to the last bit: the texts of the coverage report.

use super::Class;

const APPROXIMATE: &str = "correctly rounded, where GPUs approximate to about one unit in the last place (f64 estimates: fewer bits)";
const DIVISION: &str =
    "AMD's description without its slips: the divisions of compilers are correctly rounded";
const SUMS: &str =
    "sums in the order of k, every multiply-add rounded once; AMD documents neither order nor width";
const SCALED: &str =
    "32 products summed in f64, scaled, added with one rounding; AMD documents neither order nor width";
const DOT: &str = "every multiply-add rounded once, in order; GPUs may round less often";
const RANDOM: &str =
    "one of both neighbours, by the upper random bits; AMD's text of the sum cannot be meant";
const SCALE: &str = "overflow and NaN as without a scale; AMD does not document those of the scaled forms";
const CLOCK: &str = "the simulated clock";
const PLACE: &str = "the simulated place, clock or machine";

const FILTER: &str =
    "coordinates and weights have 8 bits of fraction, sums are rounded once; AMD documents neither";

/// The bounds of an instruction that is not exact.
pub(crate) fn bounds(name: &str, class: Class, register: i64) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let estimates = [
        "v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos", "v_s_rcp", "v_s_rsq", "v_s_sqrt",
        "v_s_exp", "v_s_log",
    ];
    if class == Class::Matrix {
        return match name {
            _ if name.contains("_i32_") => None,
            _ if name.contains("f8f6f4") => Some(SCALED),
            _ => Some(SUMS),
        };
    }
    if class == Class::Trans || starts(&estimates) {
        return Some(APPROXIMATE);
    }
    match name {
        _ if starts(&["v_div_"]) => Some(DIVISION),
        _ if starts(&["v_dot"]) && name.contains("f32") || starts(&["v_dot2_f16", "v_dot2_bf16"]) => {
            Some(DOT)
        }
        _ if starts(&["v_cvt_"]) && name.contains("_sr_") => Some(RANDOM),
        _ if starts(&["v_cvt_scalef32"]) => Some(SCALE),
        _ if starts(&["image_sample"]) => Some(FILTER),
        "s_memtime" | "s_memrealtime" => Some(CLOCK),
        // MODE alone is the program's own.
        "s_getreg_b32" if register != 1 => Some(PLACE),
        _ if starts(&["s_sendmsg_rtn"]) => Some(PLACE),
        _ => None,
    }
}
