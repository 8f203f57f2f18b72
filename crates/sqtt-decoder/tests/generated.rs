//! Generated traces: what is decoded is what the waves did, and what was lost is never made up.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod traces;

use std::collections::HashMap;

use sqtt_decoder::generate::{Done, Plan, Truth, WaveTruth, Writer, write};
use sqtt_decoder::stream::EventKind;
use sqtt_decoder::trace::Folder;
use sqtt_decoder::{Filter, Ledger, LossKind};

/// Time, word, payload, and whether it was cut off.
type Got = (i64, u32, Vec<u32>, bool);
type Slot = (u32, u16, u8, u8);

struct Decoded {
    folder: Folder,
    truth: Truth,
    /// Events that have a record, by slot and generation.
    waves: HashMap<(Slot, u32), Vec<Got>>,
    ledger: Ledger,
    _root: tempfile::TempDir,
}

fn decode(plan: &Plan) -> Decoded {
    let root = tempfile::tempdir().unwrap();
    let truth = write(root.path(), &Plan { truth: true, ..plan.clone() }).unwrap();
    let folder = traces::load(root.path());
    assert_eq!(folder.record_count(), truth.records);
    let mut waves = HashMap::new();
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let slot = (wave.slot.se, wave.slot.cu, wave.slot.simd, wave.slot.slot);
        let events: &mut Vec<_> = waves.entry((slot, wave.generation)).or_default();
        while let Some(event) = stream.next() {
            if event.raw.is_some() {
                let word = event.marker.to_word().unwrap();
                assert_ne!(event.kind, EventKind::Undecoded);
                events.push((event.time, word, event.payload.to_vec(), event.truncated));
            }
        }
    });
    Decoded { folder, truth, waves, ledger, _root: root }
}

fn done_of<'a>(decoded: &'a Decoded, wave: &WaveTruth) -> &'a [Got] {
    &decoded.waves[&(wave.slot, wave.generation)]
}

#[test]
fn without_losses_every_wave_is_what_it_did() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let plan = Plan { writer, records_per_file: 1000, ..Plan::default() };
        let decoded = decode(&plan);
        assert!(decoded.ledger.is_empty(), "{}", decoded.ledger);
        assert!(decoded.truth.waves.len() > 50 && decoded.truth.files.len() > 15);
        for wave in &decoded.truth.waves {
            let done = wave.done.iter();
            let expected: Vec<_> =
                done.map(|done| (done.time, done.word, done.payload.clone(), false)).collect();
            // The time of a header is that of its record.
            let got: Vec<_> = done_of(&decoded, wave).to_vec();
            assert_eq!(got.len(), expected.len());
            for (got, expected) in got.iter().zip(&expected) {
                assert_eq!((got.1, &got.2, got.3), (expected.1, &expected.2, expected.3));
                assert!(got.0 >= expected.0);
            }
        }
        let launches: usize = decoded.folder.launch_count();
        assert_eq!(launches, decoded.truth.waves.len());
    }
}

/// What came out must be a part of what went in, in order; blocks that are given are whole ones.
fn is_subsequence(got: &[Got], done: &[Done]) -> Result<usize, String> {
    let mut rest = done.iter();
    let mut missing = 0;
    for (_, word, payload, truncated) in got {
        loop {
            let Some(next) = rest.next() else {
                return Err(format!("{word:#x} with {} words is no marker of the wave", payload.len()));
            };
            if next.word == *word && (*truncated || next.payload == *payload) {
                break;
            }
            missing += 1;
        }
    }
    Ok(missing + rest.count())
}

#[test]
fn packet_losses_cut_scopes_and_nothing_is_made_up() {
    for seed in 0..8 {
        let plan =
            Plan { seed, writer: Writer::AttTool, packet_losses: 5, records: 60_000, ..Plan::default() };
        let decoded = decode(&plan);
        assert_eq!(decoded.ledger.count(LossKind::PacketLoss), 10);
        assert!(decoded.ledger.count(LossKind::ScopeCutByPacketLoss) > 0);
        assert_eq!(decoded.ledger.count(LossKind::UnknownId), 0, "{}", decoded.ledger);
        for wave in &decoded.truth.waves {
            is_subsequence(done_of(&decoded, wave), &wave.done)
                .unwrap_or_else(|error| panic!("seed {seed}, {:?} {}: {error}", wave.slot, wave.generation));
        }
    }
}

#[test]
fn packed_clocks_give_back_the_times_of_issue() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let decoded = decode(&Plan { packed: true, writer, ..Plan::default() });
        assert!(decoded.ledger.is_lossless(), "{}", decoded.ledger);
        let mut delays = HashMap::<_, Vec<i64>>::new();
        for wave in &decoded.truth.waves {
            let got = done_of(&decoded, wave);
            assert_eq!(got.len(), wave.done.len());
            for (got, done) in got.iter().zip(&wave.done) {
                assert_eq!(got.1, done.word);
                let simd = (wave.slot.0, wave.slot.1, wave.slot.2);
                delays.entry(simd).or_default().push(got.0 - done.time);
            }
        }
        for (simd, delays) in delays {
            let (least, most) = (delays.iter().min().unwrap(), delays.iter().max().unwrap());
            // Corrected to the bucket of the clock field, from delays of up to 3000 cycles.
            assert!(most - least < 64, "{simd:?}: {least} to {most}");
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { damaged_blocks: 20, records_per_file: 500, ..Plan::default() };
    write(root.path(), &plan).unwrap();
    let folder = traces::load(root.path());
    let (lines, ledger) = traces::events(&folder);
    let (parts, parallel_ledger) = folder.decode_parallel(
        4,
        &Filter::default(),
        || 0_usize,
        |count, _, stream| {
            *count += 1;
            while stream.next().is_some() {
                *count += 1;
            }
        },
    );
    assert_eq!(parts.iter().sum::<usize>(), lines.len());
    assert!(parts.len() > 8);
    assert_eq!(ledger, parallel_ledger);

    let mut in_order = 0;
    let mut last = i64::MIN;
    let merged = folder.decode_in_order(&Filter::default(), |_, event| {
        assert!(event.time >= last);
        (last, in_order) = (event.time, in_order + 1);
        Ok::<(), ()>(())
    });
    assert_eq!(merged.unwrap(), ledger);
    let waves = lines.iter().filter(|line| line.starts_with("wave")).count();
    assert_eq!(in_order, lines.len() - waves);
}
