//! What a wave does: one marker after the other, random and well nested.

use sqtt_format::Marker;

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
            95..98 => Item { marker: Marker::point(6), payload: lds_block(plan, random) },
            98..100 => Item { marker: Marker::point(7), payload: global_block(plan, random) },
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

/// EXEC of 32 lanes and 32 LDS addresses: small numbers, many of which look like headers.
fn lds_block(plan: &Plan, random: &mut Random) -> Vec<u32> {
    if plan.irregular && random.below(2) == 0 {
        let exec = exec(random);
        let lanes = (0..32).map(|lane| match exec >> lane & 1 {
            0 => left_over(random),
            _ => (random.below(1 << 14) * 4) as u32,
        });
        return [exec, 0].into_iter().chain(lanes).collect();
    }
    let base = (random.below(64) * 4) as u32;
    let lanes = (0..32).map(|lane| base + lane * 4);
    [random.bits() as u32, 0].into_iter().chain(lanes).collect()
}

/// EXEC of 32 lanes and 32 global addresses.
fn global_block(plan: &Plan, random: &mut Random) -> Vec<u32> {
    if plan.irregular && random.below(2) == 0 {
        let exec = exec(random);
        let base = 0x7F12_0000_0000 + random.below(1 << 30) * 4;
        let lanes = (0..32).flat_map(|lane| match exec >> lane & 1 {
            0 => [left_over(random), left_over(random)],
            _ => {
                let address = base + random.below(1 << 28) * 4;
                [address as u32, (address >> 32) as u32]
            }
        });
        return [exec, 0].into_iter().chain(lanes).collect();
    }
    let base = 0x7F12_0000_0000 + random.below(1 << 30) * 4;
    let stride = 4 << random.below(6);
    let lanes = (0..32).map(|lane| base + lane * stride);
    let words = lanes.flat_map(|address| [address as u32, (address >> 32) as u32]);
    [random.bits() as u32 | 1, 0].into_iter().chain(words).collect()
}

/// All lanes, most of them, or half: never none.
fn exec(random: &mut Random) -> u32 {
    let (one, another) = (random.bits() as u32, random.bits() as u32);
    1 | match random.below(3) {
        0 => u32::MAX,
        1 => one | another,
        _ => one,
    }
}

/// What a register of a lane that is not active may hold: nothing yet, an index, an address, a float.
fn left_over(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 0,
        1 => random.below(64) as u32,
        2 => random.below(1 << 16) as u32 & !3,
        _ => random.bits() as u32,
    }
}
