//! Cycles as time.

use sqtt_decoder::trace::Trace;

/// Rate of the shader clock of a folder. All shader engines of a folder share one clock here, so
/// that what happened at one cycle has one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClockRate {
    /// The user says so. GHz.
    Given(f64),
    /// `realtime.json` says so: the mean of the shader engines. GHz.
    Measured(f64),
    /// Not known.
    Unknown,
}

impl ClockRate {
    /// Takes the given rate before what the folder says.
    #[must_use]
    pub fn of(trace: &Trace, given_ghz: Option<f64>) -> Self {
        let measured = || trace.real_time.as_ref()?.mean_clock_hz();
        match (given_ghz, measured()) {
            (Some(ghz), _) => Self::Given(ghz),
            (None, Some(hz)) if hz.is_finite() && hz > 0.0 => Self::Measured(hz / 1e9),
            _ => Self::Unknown,
        }
    }

    /// Cycles of a nanosecond.
    #[must_use]
    pub const fn ghz(self) -> Option<f64> {
        match self {
            Self::Given(ghz) | Self::Measured(ghz) => Some(ghz),
            Self::Unknown => None,
        }
    }

    /// `given`, `measured` or `nominal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given(_) => "given",
            Self::Measured(_) => "measured",
            Self::Unknown => "nominal",
        }
    }

    /// The nanosecond of a cycle; where no rate is known, the cycle itself. Never out of order: a later
    /// cycle has no earlier nanosecond.
    #[must_use]
    pub fn nanoseconds(self, cycles: i64) -> i64 {
        match self.ghz() {
            Some(ghz) => (cycles as f64 / ghz).round() as i64,
            None => cycles,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cycles_at_two_gigahertz() {
        assert_eq!(ClockRate::Given(2.0).nanoseconds(4_200), 2_100);
        assert_eq!(ClockRate::Unknown.nanoseconds(4_200), 4_200);
        assert_eq!(ClockRate::Given(1e-9).nanoseconds(i64::MAX), i64::MAX);
    }

    proptest! {
        #[test]
        fn order_is_kept(a: i64, b: i64, ghz in 1e-3_f64..10.0) {
            let rate = ClockRate::Measured(ghz);
            prop_assert!((a <= b) <= (rate.nanoseconds(a) <= rate.nanoseconds(b)));
        }
    }
}
