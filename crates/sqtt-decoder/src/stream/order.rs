//! All waves of a folder at once, by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::machine::Step;
use super::visit::note_losses;
use super::wave::SlotWaves;
use super::{Event, MarkerStream, Wave};
use crate::filter::Filter;
use crate::ledger::Ledger;
use crate::trace::Trace;

/// A slot whose next event is known.
struct SlotEvents<'f> {
    waves: SlotWaves<'f>,
    wave: Wave<'f>,
    stream: MarkerStream<'f>,
    step: Step,
}

impl<'f> SlotEvents<'f> {
    /// The first event of the slot's next wave that has one.
    fn start(
        trace: &'f Trace,
        mut waves: SlotWaves<'f>,
        filter: &Filter,
        ledger: &mut Ledger,
    ) -> Option<Self> {
        loop {
            let wave = waves.next()?;
            if !filter.takes_wave(&wave) {
                continue;
            }
            let mut stream = wave.markers();
            match stream.step() {
                Some(step) => return Some(Self { waves, wave, stream, step }),
                None => note_losses(trace, &wave, &stream, ledger),
            }
        }
    }
}

impl Trace {
    /// Calls `visit` for every event of the waves that `filter` lets through, ordered by time; events of
    /// one time by slot. The waves of a slot follow each other, even where a clock correction moves the
    /// first marker of one before the last of the other. Stops early where `visit` gives an error.
    ///
    /// # Errors
    ///
    /// Errors of `visit`.
    pub fn decode_in_order<E>(
        &self,
        filter: &Filter,
        mut visit: impl FnMut(&Wave<'_>, &Event<'_>) -> Result<(), E>,
    ) -> Result<Ledger, E> {
        let mut ledger = self.ledger.clone();
        let slots = self.slots().filter(|slot| filter.takes_slot(slot.id()));
        let mut runs: Vec<SlotEvents<'_>> =
            slots.filter_map(|waves| SlotEvents::start(self, waves, filter, &mut ledger)).collect();
        let heads = runs.iter().enumerate().map(|(index, run)| Reverse((run.step.time, index)));
        let mut heads: BinaryHeap<_> = heads.collect();
        while let Some(mut head) = heads.peek_mut() {
            let Reverse((_, index)) = *head;
            let run = &mut runs[index];
            visit(&run.wave, &run.stream.event(&run.step))?;
            match run.stream.step() {
                Some(step) => {
                    run.step = step;
                    *head = Reverse((step.time, index));
                    continue;
                }
                None => note_losses(self, &run.wave, &run.stream, &mut ledger),
            }
            match SlotEvents::start(self, run.waves.clone(), filter, &mut ledger) {
                Some(next) => {
                    *head = Reverse((next.step.time, index));
                    *run = next;
                }
                None => {
                    std::collections::binary_heap::PeekMut::pop(head);
                }
            }
        }
        Ok(ledger)
    }
}
