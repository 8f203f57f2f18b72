//! Decoding a whole folder, so that the ledger comes with it.

use super::wave::SlotWaves;
use super::{MarkerStream, Wave};
use crate::filter::Filter;
use crate::ledger::{Ledger, RemarkKind};
use crate::parallel::{self, Threads};
use crate::trace::Trace;

/// Groups of slots per thread, so that no thread waits long for the last one.
const GROUPS_PER_THREAD: usize = 8;

impl Trace {
    /// Decodes the waves that `filter` lets through, slot by slot. `visit` may take as many events of
    /// the stream as it likes; the rest is decoded for its losses. The ledger is that of the folder and
    /// of these waves.
    pub fn decode(&self, filter: &Filter, mut visit: impl FnMut(&Wave<'_>, &mut MarkerStream<'_>)) -> Ledger {
        let mut ledger = self.ledger.clone();
        for slot in self.slots().filter(|slot| filter.takes_slot(slot.id())) {
            decode_slot(self, slot, filter, &mut ledger, &mut visit);
        }
        ledger
    }

    /// Decodes like [`Trace::decode`], on several threads: each group of slots has a value of its own, made by
    /// `start`, and the values come in the order of their slots.
    pub fn decode_parallel<T: Send>(
        &self,
        threads: Threads,
        filter: &Filter,
        start: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, &Wave<'_>, &mut MarkerStream<'_>) + Sync,
    ) -> (Vec<T>, Ledger) {
        let slots: Vec<SlotWaves<'_>> = self.slots().filter(|slot| filter.takes_slot(slot.id())).collect();
        let group = slots.len().div_ceil(threads.count() * GROUPS_PER_THREAD).max(1);
        let groups: Vec<&[SlotWaves<'_>]> = slots.chunks(group).collect();
        let done = parallel::map(threads, &groups, |slots| {
            let (mut value, mut ledger) = (start(), Ledger::new());
            for slot in *slots {
                decode_slot(self, slot.clone(), filter, &mut ledger, &mut |wave, stream| {
                    visit(&mut value, wave, stream);
                });
            }
            (value, ledger)
        });
        let mut ledger = self.ledger.clone();
        let values = done.into_iter().map(|(value, part)| {
            ledger.merge(&part);
            value
        });
        (values.collect(), ledger)
    }
}

fn decode_slot(
    trace: &Trace,
    slot: SlotWaves<'_>,
    filter: &Filter,
    ledger: &mut Ledger,
    visit: &mut dyn FnMut(&Wave<'_>, &mut MarkerStream<'_>),
) {
    for wave in slot.filter(|wave| filter.takes_wave(wave)) {
        let mut stream = wave.markers();
        visit(&wave, &mut stream);
        stream.finish();
        note_losses(trace, &wave, &stream, ledger);
    }
}

/// Takes what a finished stream lost to the ledger.
pub(super) fn note_losses(trace: &Trace, wave: &Wave<'_>, stream: &MarkerStream<'_>, ledger: &mut Ledger) {
    let place = || trace.place(&wave.slot);
    stream.losses().give_to(ledger, place);
    if wave.launch.is_none() && trace.has_occupancy {
        ledger.add(RemarkKind::BeforeFirstWave, wave.record_count() as u64, place());
    }
}
