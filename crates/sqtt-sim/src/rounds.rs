//! The rounds of a dispatch: workgroups one after another, beside each other in batches, or all together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::dispatch::Dispatch;
use crate::group::{Group, run_group, run_together};
use crate::machine::Machine;
use crate::memory::overlay::{Committed, Overlay};
use crate::memory::{Memory, View};
use crate::run::Options;

/// A workgroup's result and the overlay that it stands on.
type Speculated = (Group, Overlay);

/// The workgroups of a dispatch, round by round.
pub(crate) struct Runner<'a> {
    pub(crate) dispatch: &'a Dispatch<'a>,
    pub(crate) machine: Machine,
    pub(crate) options: Options,
    /// Records of the workgroups so far.
    pub(crate) records: u64,
    pub(crate) memory: &'a Memory,
    pub(crate) parallel: bool,
    pub(crate) threads: usize,
}

impl Runner<'_> {
    /// Workgroups `first..first + count`, which share the machine; none behind one that stopped.
    pub(crate) fn round(&mut self, first: u64, count: u64, start: u64) -> Vec<Group> {
        if self.dispatch.cooperative {
            let view = || View::direct(self.memory);
            let mut groups = run_together(self.dispatch, &self.machine, &self.options, view, count);
            self.count_records(&mut groups, 0);
            return groups;
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut j = 0;
        while j < count && groups.last().is_none_or(|group| group.stopped.is_none()) {
            let batch = if self.parallel { (self.threads as u64 * 8).min(count - j) } else { 1 };
            let before = groups.len();
            if batch == 1 {
                groups.push(self.direct(first + j, j, start));
            } else {
                self.batch(first, j..j + batch, start, &mut groups);
            }
            self.count_records(&mut groups, before);
            j += batch;
        }
        groups
    }

    /// True if no record is kept any more.
    pub(crate) fn has_too_many_records(&self) -> bool {
        self.records > self.options.max_records
    }

    /// Counts the records of the workgroups from one on. When they are too many, nothing is kept from now on: the
    /// dispatch goes on.
    fn count_records(&mut self, groups: &mut [Group], from: usize) {
        let waves = groups[from..].iter().flat_map(|group| &group.waves);
        self.records += waves.map(|wave| (wave.markers.len() + 32 * wave.accesses.len()) as u64).sum::<u64>();
        if self.has_too_many_records() {
            groups.iter_mut().for_each(|group| group.waves = Vec::new());
            (self.options.waves, self.options.accesses) = (false, false);
        }
    }

    fn direct(&mut self, n: u64, j: u64, start: u64) -> Group {
        let view = View::direct(self.memory);
        run_group(self.dispatch, &self.machine, &self.options, view, n, j, start).0
    }

    fn batch(&mut self, first: u64, range: std::ops::Range<u64>, start: u64, groups: &mut Vec<Group>) {
        let count = (range.end - range.start) as usize;
        let slots: Vec<Mutex<Option<Speculated>>> = (0..count).map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let (dispatch, machine, options, memory) = (self.dispatch, &self.machine, &self.options, self.memory);
        let work = || loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = slots.get(k) else { break };
            let j = range.start + k as u64;
            let view = View::beside_others(memory);
            let (result, view) = run_group(dispatch, machine, options, view, first + j, j, start);
            if let Ok(mut slot) = slot.lock() {
                *slot = Some((result, view.into_overlay()));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(count) {
                scope.spawn(work);
            }
            work();
        });
        let mut committed = Committed::default();
        let mut again = 0;
        for (k, slot) in slots.into_iter().enumerate() {
            let done = slot.into_inner().ok().flatten();
            let j = range.start + k as u64;
            let group = match done {
                Some((group, overlay)) if !committed.conflicts(&overlay) => {
                    committed.commit(self.memory, &overlay);
                    group
                }
                _ => {
                    // It read what an earlier one wrote: once more, on what that one left.
                    again += 1;
                    let view = View::beside_others(self.memory);
                    let (group, view) =
                        run_group(self.dispatch, &self.machine, &self.options, view, first + j, j, start);
                    committed.commit(self.memory, &view.into_overlay());
                    group
                }
            };
            let is_last = group.stopped.is_some();
            groups.push(group);
            if is_last {
                break;
            }
        }
        // Speculation that mostly fails costs more than it gives.
        self.parallel &= again * 2 <= count;
    }
}
