//! What a wave does: one marker after the other, random and well nested.

use sqtt_format::Marker;

use super::blocks::Traced;
use super::{Plan, Random};

/// A marker and the words behind it.
pub(super) struct Item {
    pub(super) marker: Marker,
    pub(super) payload: Vec<u32>,
}

/// The rest of a wave's program.
#[derive(Default)]
pub(super) struct Program {
    depth: u32,
    /// Records that it may still write.
    left: u64,
}

impl Program {
    pub(super) fn new(plan: &Plan, random: &mut Random) -> Self {
        let half = plan.records_per_wave / 2;
        Self { depth: 0, left: half + random.below(plan.records_per_wave.max(1)) }
    }

    /// The next marker; `None` when all scopes are closed and enough was done.
    pub(super) fn next(&mut self, plan: &Plan, random: &mut Random) -> Option<Item> {
        if self.left == 0 {
            self.depth = self.depth.checked_sub(1)?;
            return Some(Item { marker: Marker::EXIT, payload: Vec::new() });
        }
        let choice = random.below(if plan.packed { 80 } else { 100 });
        let scope = 1 + random.below(3) as u32;
        let item = match choice {
            0..30 if self.depth < 6 => self.enter(Marker::enter(scope)),
            30..60 if self.depth > 0 => {
                self.depth -= 1;
                plain(Marker::EXIT)
            }
            60..65 if self.depth > 0 => plain(Marker::exit_enter(scope)),
            80..85 if plan.irregular => {
                Item { marker: Marker::point(8), payload: (0..5).map(|_| random.bits() as u32).collect() }
            }
            80..95 => Item { marker: Marker::point(5), payload: vec![random.bits() as u32] },
            95..100 => {
                let traced = Traced::choose(plan, choice - 95);
                Item { marker: Marker::point(traced.id()), payload: traced.block(plan, random) }
            }
            _ => plain(Marker::point(4)),
        };
        self.left = self.left.saturating_sub(1 + item.payload.len() as u64);
        Some(item)
    }

    fn enter(&mut self, marker: Marker) -> Item {
        self.depth += 1;
        plain(marker)
    }
}

fn plain(marker: Marker) -> Item {
    Item { marker, payload: Vec::new() }
}
