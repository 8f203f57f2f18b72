//! Losses of one wave, before they have a place.

use crate::ledger::{Ledger, RemarkKind};

/// Losses of one stream, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamLosses {
    counts: Vec<(RemarkKind, u64)>,
}

impl StreamLosses {
    pub(crate) fn add(&mut self, kind: RemarkKind, count: u64) {
        if count == 0 {
            return;
        }
        match self.counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, sum)) => *sum += count,
            None => self.counts.push((kind, count)),
        }
    }

    /// Number of times.
    #[must_use]
    pub fn count(&self, kind: RemarkKind) -> u64 {
        self.counts.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
    }

    /// True if nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(crate) fn give_to(&self, ledger: &mut Ledger, place: impl Fn() -> String) {
        for &(kind, count) in &self.counts {
            ledger.add(kind, count, place());
        }
    }
}
