//! Everything written is read back, on every generation.

use super::tokens;
use crate::generate::Random;
use crate::names::Catalog;
use crate::raw::token::{Field, TokenKind};
use crate::raw::{EncodeError, Encoder, Generation, LoadedObject, RawEngine, RawFile, RawTrace};
use crate::trace::store::Store;
use crate::trace::{Launch, LoadOptions, SlotId, Trace};
use crate::{Record, RecordFlags};

/// A stream of two slots with everything in it.
struct Written {
    bytes: Vec<u8>,
    records: Vec<(SlotId, Record)>,
    /// Start and end, and the workgroup that the start says.
    waves: Vec<(SlotId, i64, i64, Option<i64>)>,
    real_time: Vec<(i64, i64)>,
    losses: Vec<i64>,
}

fn write(generation: Generation, seed: u64) -> Written {
    let mut random = Random::new(seed);
    let step = if generation == Generation::Gfx9 { 4 } else { 1 };
    let mut encoder = Encoder::new(generation);
    let mut written =
        Written { bytes: Vec::new(), records: vec![], waves: vec![], real_time: vec![], losses: vec![] };
    encoder.loaded(0, &LoadedObject { id: 7, address: 0x7F00_0000_1000, size: 0x3000 }).unwrap();
    encoder.program(step, 0x7F00_0000_1100).unwrap();
    let high = if generation == Generation::Gfx9 { 0 } else { 128 };
    let slots = [SlotId { se: 3, cu: 5, simd: 1, slot: 9 }, SlotId { se: 3, cu: 2 + high, simd: 3, slot: 0 }];
    let mut running = [None; 2];
    let mut now = step;
    for _ in 0..400 {
        now += step
            * match random.below(8) {
                0 => 0,
                1..5 => random.below(12),
                5 => random.below(600),
                6 => random.below(100_000),
                _ => random.below(1 << 34),
            };
        let time = now as i64;
        let at = random.below(2) as usize;
        let slot = slots[at];
        match (random.below(12), running[at]) {
            (0, _) => {
                encoder.packet_loss(now).unwrap();
                written.losses.push(time);
            }
            (1, _) if generation != Generation::Gfx9 => {
                encoder.real_time(now, now / 20).unwrap();
                written.real_time.push((time, time / 20));
            }
            (2, Some(start)) => {
                encoder.end(now, slot).unwrap();
                let (start, workgroup) = start;
                written.waves.push((slot, start, time, workgroup));
                running[at] = None;
            }
            (kind, None) if generation >= Generation::Gfx12 && kind % 2 == 0 => {
                let workgroup = random.below(100);
                encoder.start_in(now, slot, workgroup).unwrap();
                running[at] = Some((time, Some(workgroup as i64 % 32)));
            }
            (_, None) => {
                encoder.start(now, slot).unwrap();
                running[at] = Some((time, None));
            }
            (kind, Some(_)) => {
                let flags = match generation {
                    Generation::Gfx9 => 0,
                    Generation::Gfx10 | Generation::Gfx11 => kind % 2,
                    _ => kind % 4,
                };
                let mut record =
                    Record { time, value: random.bits() as u32, flags: RecordFlags::from_bits(flags as u8) };
                record.value &= if record.is_immediate() { 0xFF } else { u32::MAX };
                encoder.data(slot, record).unwrap();
                written.records.push((slot, record));
            }
        }
    }
    for (slot, start) in slots.iter().zip(running) {
        if let Some((start, workgroup)) = start {
            now += 5 * step;
            encoder.end(now, *slot).unwrap();
            written.waves.push((*slot, start, now as i64, workgroup));
        }
    }
    written.bytes = encoder.finish();
    written
}

fn load(bytes: &[&[u8]]) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    let mut begun = None;
    let files: Vec<_> = bytes
        .iter()
        .enumerate()
        .map(|(index, bytes)| {
            let path = folder.path().join(format!("x_shader_engine_3_{index}.att"));
            std::fs::write(&path, bytes).unwrap();
            RawFile::open(Store::Disk, path, &mut begun)
        })
        .collect();
    let trace = RawTrace { path: folder.path().join("x"), engines: vec![RawEngine { se: 3, files }] };
    trace.load(&Catalog::default(), LoadOptions::default())
}

fn check(folder: &Trace, written: &Written, what: &str) {
    let engine = &folder.engines[&3];
    let mut losses = written.losses.clone();
    losses.dedup();
    assert!(engine.losses.iter().map(|loss| loss.from).eq(losses), "{what}");
    let samples = folder.real_time.as_ref().map(|real| real.samples[&3].clone()).unwrap_or_default();
    assert_eq!(samples, written.real_time, "{what}");
    assert_eq!(folder.record_count(), written.records.len() as u64, "{what}");
    let mut waves = 0;
    for (place, slot) in &engine.slots {
        let own = |id: SlotId| (id.cu, id.simd, id.slot) == (place.cu, place.simd, place.slot);
        let records = written.records.iter().filter(|(id, _)| own(*id)).map(|(_, record)| *record);
        assert!(records.eq(slot.records.iter()), "{what}: {place:?}");
        let lives = written.waves.iter().filter(|(id, ..)| own(*id));
        let lives = lives.map(|(_, start, end, workgroup)| (*start, Some(*end), *workgroup));
        let workgroup = |launch: &Launch| launch.origin.and_then(|origin| origin.workgroup);
        let read = slot.launches.iter().map(|launch| (launch.time, launch.retired, workgroup(launch)));
        assert!(lives.eq(read), "{what}");
        waves += slot.launches.len();
        assert!(slot.launches.iter().all(|launch| launch.kernel == 1));
    }
    assert_eq!(waves, written.waves.len(), "{what}");
    assert_eq!(folder.kernels[&1].name, crate::names::KernelName::at(7, 0x100), "{what}");
}

#[test]
fn every_generation_reads_what_it_writes() {
    for generation in Generation::ALL {
        for seed in 0..40 {
            let written = write(generation, seed);
            let (_, seen) = tokens(&written.bytes);
            assert_eq!(seen.unknown, 0, "{generation} {seed}");
            check(&load(&[&written.bytes]), &written, &format!("{generation} {seed}"));
            // The stream in pieces: a file goes on where the one before it stopped.
            let cut = written.bytes.len() / 3;
            let pieces =
                [&written.bytes[..cut], &written.bytes[cut..2 * cut + 1], &written.bytes[2 * cut + 1..]];
            check(&load(&pieces), &written, &format!("{generation} {seed} in pieces"));
        }
    }
}

#[test]
fn what_a_gpu_cannot_say_is_an_error() {
    let slot = SlotId { se: 0, cu: 1, simd: 2, slot: 3 };
    let record = |time, value, flags| Record { time, value, flags };
    let mut gfx9 = Encoder::new(Generation::Gfx9);
    assert!(matches!(gfx9.start(6, slot), Err(EncodeError::Time { step: 4, .. })));
    assert!(matches!(gfx9.data(slot, record(8, 1, RecordFlags::IMMEDIATE)), Err(EncodeError::NoRoom { .. })));
    assert!(matches!(
        gfx9.data(slot, record(8, 1, RecordFlags::PRIVILEGED)),
        Err(EncodeError::NoRoom { .. })
    ));
    assert!(matches!(gfx9.real_time(8, 1), Err(EncodeError::Lacks { .. })));
    assert!(matches!(gfx9.end(8, SlotId { cu: 16, ..slot }), Err(EncodeError::NoRoom { .. })));
    gfx9.data(slot, record(8, 1, RecordFlags::NONE)).unwrap();
    assert!(matches!(
        gfx9.data(slot, record(4, 1, RecordFlags::NONE)),
        Err(EncodeError::Backwards { time: 4, now: 8 })
    ));
    assert!(matches!(gfx9.end(1 << 47, slot), Err(EncodeError::Time { .. })));
    let mut gfx11 = Encoder::new(Generation::Gfx11);
    assert!(matches!(
        gfx11.data(slot, record(8, 256, RecordFlags::IMMEDIATE)),
        Err(EncodeError::NoRoom { .. })
    ));
    assert!(matches!(gfx11.start(8, SlotId { cu: 8, ..slot }), Err(EncodeError::NoRoom { .. })));
    assert_eq!(
        gfx11.start(8, SlotId { cu: 8, ..slot }).unwrap_err().to_string(),
        "gfx11 has no WaveStart token with [(Array, 0), (Unit, 8), (Simd, 2), (Slot, 3), (Me, 1)]"
    );
    assert_eq!(gfx11.start_in(8, slot, 1).unwrap_err().to_string(), "gfx11 has no workgroups in its streams");
    gfx11.start(8, slot).unwrap();
}

/// A trace that begins when a wave is running, and loses packets while the next one runs.
#[test]
fn waves_older_than_the_trace_and_packets_lost() {
    use crate::{Filter, RemarkKind};
    let slot = SlotId { se: 3, cu: 1, simd: 2, slot: 3 };
    for generation in Generation::ALL {
        let mut encoder = Encoder::new(generation);
        let word = |time, value| Record { time, value, flags: RecordFlags::NONE };
        // An exit whose enter came before the trace, and the wave's end.
        encoder.data(slot, word(40, 1)).unwrap();
        encoder.end(80, slot).unwrap();
        encoder.start(100, slot).unwrap();
        encoder.data(slot, word(120, 5 << 2 | 2)).unwrap();
        encoder.packet_loss(160).unwrap();
        // Of the wave that ran, the end is among what was lost.
        encoder.start(200, slot).unwrap();
        encoder.data(slot, word(240, 5 << 2 | 2)).unwrap();
        encoder.data(slot, word(280, 1)).unwrap();
        encoder.end(320, slot).unwrap();
        // And of this one the start.
        encoder.end(360, slot).unwrap();
        let folder = load(&[&encoder.finish()]);
        let lives: Vec<_> = folder.waves().map(|wave| (wave.launch.unwrap().time, wave.retired())).collect();
        let lost = if generation == Generation::Gfx9 { 200 } else { 199 };
        assert_eq!(lives, [(0, Some(80)), (100, Some(lost)), (200, Some(320))], "{generation}");
        assert!(folder.waves().next().unwrap().is_older_than_trace());
        let ledger = folder.decode(&Filter::default(), |_, _| {});
        for (kind, count) in [
            (RemarkKind::ExitWithoutEnter, 1),
            (RemarkKind::PacketLoss, 1),
            (RemarkKind::ScopeCutByPacketLoss, 1),
            (RemarkKind::EndWithoutStart, 1),
            (RemarkKind::StartInBusySlot, u64::from(generation == Generation::Gfx9)),
        ] {
            assert_eq!(ledger.count(kind), count, "{generation}: {kind}: {ledger}");
        }
    }
}

/// Damaged timestamps that add up to a time that no trace reaches: what is there before is read.
#[test]
fn times_far_out_are_left_out_with_their_slot() {
    use crate::{Filter, RemarkKind};
    let (slot, other) =
        (SlotId { se: 3, cu: 1, simd: 2, slot: 3 }, SlotId { se: 3, cu: 2, simd: 0, slot: 1 });
    let mut encoder = Encoder::new(Generation::Gfx12);
    let record = |time| Record { time, value: 5 << 2 | 2, flags: RecordFlags::NONE };
    encoder.start(100, slot).unwrap();
    encoder.data(slot, record(120)).unwrap();
    encoder.start(130, other).unwrap();
    encoder.end(140, other).unwrap();
    for _ in 0..4 {
        encoder.token(200, TokenKind::Timestamp, &[(Field::Time, 1 << 51)]).unwrap();
    }
    encoder.data(slot, record(210)).unwrap();
    encoder.end(220, slot).unwrap();
    encoder.start(230, other).unwrap();
    let folder = load(&[&encoder.finish()]);
    let lives: Vec<_> = folder.waves().map(|wave| (wave.launch.unwrap().time, wave.retired())).collect();
    assert_eq!(lives, [(100, None), (130, Some(140))]);
    assert_eq!(folder.record_count(), 1);
    let ledger = folder.decode(&Filter::default(), |_, _| {});
    let (_, tally) = ledger.tallies().find(|(kind, _)| *kind == RemarkKind::MalformedRow).unwrap();
    let place = tally.places.keys().next().unwrap();
    assert_eq!(tally.count, 3);
    assert!(
        place.ends_with("times that no trace reaches (2^53 cycles), the first of SE3/CU1/SIMD2/W3"),
        "{place}"
    );
}
