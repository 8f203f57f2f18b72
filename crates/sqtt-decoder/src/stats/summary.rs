//! Numbers about many durations.

use serde::Serialize;

/// Order statistics, exact. Cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// Number of durations.
    pub count: u64,
    /// The shortest.
    pub min: u64,
    /// The middle one; of an even number the lower of the two.
    pub median: u64,
    /// The one that 95 of 100 do not exceed.
    pub p95: u64,
    /// The longest.
    pub max: u64,
    /// All together.
    pub sum: u64,
}

impl Summary {
    /// `None` of nothing.
    #[must_use]
    pub fn of(mut values: Vec<u64>) -> Option<Self> {
        let last = values.len().checked_sub(1)?;
        values.sort_unstable();
        // Nearest rank: the least value that so many hundredths of all do not exceed.
        let rank = |hundredths: usize| values[(values.len() * hundredths).div_ceil(100).max(1) - 1];
        Some(Self {
            count: values.len() as u64,
            min: values[0],
            median: rank(50),
            p95: rank(95),
            max: values[last],
            sum: values.iter().fold(0, |sum, &value| sum.saturating_add(value)),
        })
    }
}

/// Spread of something over units, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// Units where it was.
    pub units: u64,
    /// The least of a unit.
    pub min: u64,
    /// The mean of all.
    pub mean: f64,
    /// The most of a unit.
    pub max: u64,
}

impl Spread {
    /// `None` of nothing.
    #[must_use]
    pub fn of(sums: impl Iterator<Item = u64>) -> Option<Self> {
        let mut spread = Self { units: 0, min: u64::MAX, mean: 0.0, max: 0 };
        // Whole numbers: the same whatever the order of the units, which is that of a hash map.
        let mut total = 0_u128;
        for sum in sums {
            spread.units += 1;
            spread.min = spread.min.min(sum);
            spread.max = spread.max.max(sum);
            total += u128::from(sum);
        }
        spread.mean = total as f64 / spread.units.max(1) as f64;
        (spread.units > 0).then_some(spread)
    }

    /// The most of a unit against the mean: 1 is even.
    #[must_use]
    pub fn imbalance(&self) -> f64 {
        if self.mean > 0.0 { self.max as f64 / self.mean } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_ones_by_hand() {
        assert_eq!(Summary::of(Vec::new()), None);
        let one = Summary::of(vec![7]).unwrap();
        assert_eq!((one.min, one.median, one.p95, one.max, one.sum), (7, 7, 7, 7, 7));
        let ten = Summary::of((1..=10).rev().collect()).unwrap();
        assert_eq!((ten.min, ten.median, ten.p95, ten.max, ten.sum), (1, 5, 10, 10, 55));
        let hundred = Summary::of((1..=100).collect()).unwrap();
        assert_eq!((hundred.median, hundred.p95), (50, 95));
        let spread = Spread::of([10, 30, 20].into_iter()).unwrap();
        assert_eq!((spread.units, spread.min, spread.max), (3, 10, 30));
        let up: Vec<u64> = (0..1000).map(|unit| unit * unit + 7).collect();
        let means = [Spread::of(up.iter().copied()), Spread::of(up.iter().rev().copied())];
        assert_eq!(means[0], means[1]);
        assert!((spread.mean - 20.0).abs() < 1e-9 && (spread.imbalance() - 1.5).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn order_statistics_count(values in prop::collection::vec(0_u64..1000, 1..300)) {
            let summary = Summary::of(values.clone()).unwrap();
            let at_most = |limit: u64| values.iter().filter(|&&value| value <= limit).count();
            let below = |limit: u64| values.iter().filter(|&&value| value < limit).count();
            prop_assert!(at_most(summary.median) * 2 >= values.len());
            prop_assert!(below(summary.median) * 2 < values.len());
            prop_assert!(at_most(summary.p95) * 100 >= values.len() * 95);
            prop_assert!(below(summary.p95) * 100 < values.len() * 95);
        }
    }
}
