//! Program of a wave: one marker after the other, random and well nested.

use std::collections::VecDeque;

use sqtt_format::Marker;

use super::blocks::{Traced, any_words};
use super::{Plan, Random};

/// A marker and the words behind it.
pub(super) struct Item {
    pub(super) marker: Marker,
    pub(super) payload: Vec<u32>,
    /// Its id is a constant, so that it may be an immediate.
    pub(super) is_constant: bool,
}

impl Item {
    fn new(marker: Marker) -> Self {
        Self { marker, payload: Vec::new(), is_constant: true }
    }

    fn with(marker: Marker, payload: Vec<u32>) -> Self {
        Self { payload, ..Self::new(marker) }
    }
}

/// The rest of a wave's program.
pub(super) struct Program {
    depth: u32,
    /// Records that it may still write.
    left: u64,
    /// Items that come next for sure.
    queue: VecDeque<Item>,
    /// True if a last block comes when all scopes are closed.
    has_tail: bool,
}

impl Program {
    pub(super) fn new(plan: &Plan, random: &mut Random) -> Self {
        let half = plan.records_per_wave / 2;
        let left = half + random.below(plan.records_per_wave.max(1));
        Self { depth: 0, left, queue: VecDeque::new(), has_tail: plan.everything && !plan.packed }
    }

    /// True if only scopes are left to be closed.
    pub(super) fn is_ending(&self) -> bool {
        self.left == 0 && self.queue.is_empty()
    }

    /// The next marker; `None` when all scopes are closed and enough was done.
    pub(super) fn next(&mut self, plan: &Plan, random: &mut Random) -> Option<Item> {
        let mut item = match self.queue.pop_front() {
            Some(item) => item,
            None if self.left > 0 => self.any(plan, random),
            None if self.depth > 0 => {
                self.depth -= 1;
                Item::new(Marker::EXIT)
            }
            None if self.has_tail => {
                self.has_tail = false;
                block(plan, random.below(5), random)
            }
            None => return None,
        };
        // A name that is chosen at run time goes through M0, whatever its id.
        if plan.everything && item.marker != Marker::EXIT && random.below(8) == 0 {
            item.is_constant = false;
        }
        self.left = self.left.saturating_sub(1 + item.payload.len() as u64);
        Some(item)
    }

    fn any(&mut self, plan: &Plan, random: &mut Random) -> Item {
        let choice = random.below(if plan.packed { 80 } else { 100 });
        let scope = plan.first_id + random.below(3) as u32;
        match choice {
            0..30 if self.depth < 6 => {
                self.depth += 1;
                Item::new(Marker::enter(scope))
            }
            30..60 if self.depth > 0 => {
                self.depth -= 1;
                Item::new(Marker::EXIT)
            }
            60..65 if self.depth > 0 => Item::new(Marker::exit_enter(scope)),
            65..72 if plan.everything => {
                self.queue.extend(numeric(random));
                self.queue.pop_front().unwrap_or_else(|| Item::new(Marker::point(NUMBER)))
            }
            80..85 if plan.everything => {
                Item::with(Marker::point(plan.first_id + 7), any_words(plan, 5, random))
            }
            80..95 if plan.everything => {
                Item::with(Marker::point(plan.first_id + 4), any_words(plan, 1, random))
            }
            80..95 => Item::with(Marker::point(plan.first_id + 4), vec![random.bits() as u32]),
            95..100 => block(plan, choice - 95, random),
            _ => Item::new(Marker::point(plan.first_id + 3)),
        }
    }
}

fn block(plan: &Plan, number: u64, random: &mut Random) -> Item {
    let traced = Traced::choose(plan, number);
    Item::with(Marker::point(traced.id(plan)), traced.block(plan, random))
}

/// The first of the numbers that are no map's ids.
const NUMBER: u32 = 100;

/// Numbered markers: scopes in each other, points in a row, small constants, and numbers known at run time only.
fn numeric(random: &mut Random) -> Vec<Item> {
    let numbers = NUMBER..NUMBER + 1 + random.below(8) as u32;
    match random.below(4) {
        0 => {
            let exits = numbers.clone().map(|_| Item::new(Marker::EXIT));
            numbers.map(Marker::enter).map(Item::new).chain(exits).collect()
        }
        1 => numbers.map(Marker::point).map(Item::new).collect(),
        2 => vec![
            Item::new(Marker::enter(40)),
            Item::new(Marker::point(41)),
            Item::new(Marker::exit_enter(41)),
            Item::new(Marker::EXIT),
        ],
        _ => {
            let number = (1 << 10) + random.below((1 << 30) - (1 << 10)) as u32;
            vec![Item { is_constant: false, ..Item::new(Marker::point(number)) }]
        }
    }
}
