//! Marks for the bytes of a region that have been written.

use std::sync::atomic::{AtomicU64, Ordering};

/// A bit for each byte.
#[derive(Debug)]
pub(super) struct Written {
    words: Vec<AtomicU64>,
}

impl Written {
    pub(super) fn new(len: usize) -> Written {
        Written { words: (0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    pub(super) fn mark(&self, offset: usize, len: usize) {
        for (word, mask) in masks(offset, len) {
            self.words[word].fetch_or(mask, Ordering::Relaxed);
        }
    }

    /// The first byte of a range that was never written.
    pub(super) fn first_missing(&self, offset: usize, len: usize) -> Option<usize> {
        masks(offset, len).find_map(|(word, mask)| {
            let missing = mask & !self.words[word].load(Ordering::Relaxed);
            (missing != 0).then(|| word * 64 + missing.trailing_zeros() as usize)
        })
    }
}

/// The words that a range touches, each with the range's bits.
fn masks(offset: usize, len: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = offset + len;
    (offset / 64..end.div_ceil(64)).map(move |word| {
        let from = offset.max(word * 64) - word * 64;
        let to = end.min(word * 64 + 64) - word * 64;
        (word, u64::MAX >> (64 - (to - from)) << from)
    })
}
