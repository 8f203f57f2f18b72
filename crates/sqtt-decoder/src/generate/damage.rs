//! Which words of a wave a trace is without, where nothing in it says so.

use super::Random;
use super::program::Item;

/// What is left out of a generated trace, silently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Damage {
    /// A run of words of an address block, never its header.
    #[default]
    Run,
    /// One word of each half of an address block.
    TwoWords,
    /// The header of an address block.
    Header,
    /// The header of an address block and a run of words behind it.
    HeaderAndRun,
    /// The last words of an address block, and the first ones, or all, of what comes next.
    Across,
    /// A run of words of a data marker.
    Data,
    /// A marker without payload.
    Plain,
}

impl Damage {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Run, Self::TwoWords, Self::Header, Self::HeaderAndRun, Self::Across, Self::Data, Self::Plain];

    /// Whether it happens to such a marker.
    pub(super) fn is_for(self, item: &Item) -> bool {
        match self {
            Self::Plain => item.payload.is_empty(),
            Self::Data => (1..LEAST_BLOCK).contains(&item.payload.len()),
            _ => item.payload.len() >= LEAST_BLOCK,
        }
    }

    /// What a marker with a payload of `length` words loses.
    pub(super) fn choose(self, length: usize, random: &mut Random) -> Lost {
        // Words from one of them on, the header being word 0.
        let mut run = |first: usize| {
            let count = 1 + random.below((length - first).max(1) as u64) as usize;
            let from = first + random.below((length + 1 - first - count) as u64 + 1) as usize;
            from..from + count
        };
        match self {
            Self::Run => Lost::of(run(1)),
            Self::Data if length == 1 => Lost::of(1..2),
            Self::Data => Lost::of(run(1)),
            Self::Header | Self::Plain => Lost::of(0..1),
            Self::HeaderAndRun => Lost::of(0..run(0).len() + 1),
            Self::TwoWords => {
                let half = length / 2;
                let first = 1 + random.below(half as u64) as usize;
                let second = 1 + half + random.below((length - half) as u64) as usize;
                Lost { words: vec![first, second], next: 0 }
            }
            Self::Across => {
                let last = 1 + random.below(length as u64) as usize;
                Lost { words: (length + 1 - last..=length).collect(), next: 1 + random.below(40) }
            }
        }
    }
}

/// Payload of that many words is an address block's.
const LEAST_BLOCK: usize = 10;

/// What one marker loses.
pub(super) struct Lost {
    /// The words of the marker, its header being word 0.
    pub(super) words: Vec<usize>,
    /// How many words behind it are lost, too.
    pub(super) next: u64,
}

impl Lost {
    fn of(words: std::ops::Range<usize>) -> Self {
        Self { words: words.collect(), next: 0 }
    }
}
