//! Runs a computation with the widest instructions that the host has: fused multiply-add by one instruction.
//!
//! Baseline x86-64 has no fused multiply-add, and calls a slow function for it. Hosts with AVX2 and FMA are
//! found at run time; elsewhere the sum is rounded to odd in f64, which gives the same bits. AArch64 has the
//! instruction always.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the one call of a function that needs AVX2")
)]

/// A multiply-add `a * b + c` with one rounding.
pub(crate) trait Fused: Copy {
    fn single(self, a: f32, b: f32, c: f32) -> f32;

    /// A multiply-add whose product an f32 holds exactly.
    fn exact(self, a: f32, b: f32, c: f32) -> f32;

    /// A multiply-add in f64.
    #[inline(always)]
    fn double(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// By the host's instruction.
#[derive(Clone, Copy)]
pub(crate) struct Hardware;

impl Fused for Hardware {
    #[inline(always)]
    fn single(self, a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn exact(self, a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// By arithmetic that every host has.
#[cfg(any(test, not(target_arch = "aarch64")))]
#[derive(Clone, Copy)]
pub(crate) struct Software;

#[cfg(any(test, not(target_arch = "aarch64")))]
impl Fused for Software {
    #[inline(always)]
    fn single(self, a: f32, b: f32, c: f32) -> f32 {
        crate::fp::add_odd(f64::from(a) * f64::from(b), f64::from(c)) as f32
    }

    #[inline(always)]
    fn exact(self, a: f32, b: f32, c: f32) -> f32 {
        a * b + c
    }
}

/// A computation. Its `run` has to be `#[inline(always)]`, so that it becomes part of the function that may use
/// the wide instructions.
pub(crate) trait Work {
    fn run<F: Fused>(self, fused: F);
}

/// Does the work.
pub(crate) fn dispatch(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
            // SAFETY: the function needs AVX2 and FMA and nothing else, and the host has been found to have both.
            return unsafe { with_avx2(work) };
        }
        work.run(Software);
    }
    #[cfg(target_arch = "aarch64")]
    work.run(Hardware);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    work.run(Software);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2(work: impl Work) {
    work.run(Hardware);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways give the same bits, also where the sum rounds, cancels or is a denormal.
    #[test]
    fn software_and_hardware_agree() {
        let values: [f32; 12] = [
            0.0,
            -0.0,
            1.0,
            1.000_000_1,
            3.0e-39,
            1.0e-45,
            1.7e38,
            -1.7e38,
            0.1,
            6.1e-5,
            f32::INFINITY,
            2.5e19,
        ];
        for a in values {
            for b in values {
                for c in values {
                    let (x, y) = (Software.single(a, b, c), Hardware.single(a, b, c));
                    assert!(x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(), "{a} {b} {c}: {x} {y}");
                }
            }
        }
    }
}
