//! The reader of raw traces on broken and random input: no panic, no hang, losses said. The seeds are fixed
//! and the work is bounded. `cargo xtask fuzz raw` does more of it.

use crate::setting;
use std::path::Path;

use sqtt_decoder::check::check;
use sqtt_decoder::generate::{Plan, Random, code_object};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::{Encoder, Field, Generation, LoadedObject, TokenKind};
use sqtt_decoder::stats::Stats;
use sqtt_decoder::trace::{LoadOptions, Record, RecordFlags, SlotId, Trace, discover};
use sqtt_decoder::{Filter, Ledger, RemarkKind, Threads};

fn load(root: &Path) -> Vec<Trace> {
    let found = discover(&[root.to_owned()]).unwrap();
    let catalog = Catalog::read(&found.code_objects);
    found
        .traces()
        .map(|source| source.load(&catalog, LoadOptions::default().threads(Threads::new(2))))
        .collect()
}

/// Runs everything there is on the raw traces in a folder.
fn all_of_it(root: &Path, input: &str) -> Ledger {
    let mut all = Ledger::new();
    for folder in load(root) {
        let (_, ledger) = check(&folder);
        let mut stats = Stats::new();
        assert_eq!(ledger, stats.add_folder(&folder, &Filter::default(), Threads::new(2)), "{input}");
        let mut events = 0;
        let merged = folder.decode_in_order(&Filter::default(), |_, _| {
            events += 1;
            Ok::<(), ()>(())
        });
        assert_eq!(merged.unwrap(), ledger, "{input}");
        // A record is one event, and a second one where something else than an exit closes what it opened.
        assert!(events <= 2 * folder.record_count(), "{input}: {events} events");
        all.merge(&ledger);
    }
    all
}

/// A folder with a stream and a code object.
struct Raw {
    root: tempfile::TempDir,
}

impl Raw {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let map = format!("K:kernel\n{}", Plan::default().funcmap());
        std::fs::write(root.path().join("1_gfx1200_code_object_id_7.out"), code_object(map.as_bytes()))
            .unwrap();
        Self { root }
    }

    fn decode(&self, bytes: &[u8], input: &str) -> Ledger {
        std::fs::write(self.root.path().join("1_shader_engine_0_1.att"), bytes).unwrap();
        all_of_it(self.root.path(), input)
    }
}

/// A stream with every kind of token that is looked at, and others between.
fn stream(generation: Generation, random: &mut Random, tokens: u64) -> Vec<u8> {
    let step = if generation == Generation::Gfx9 { 4 } else { 1 };
    let mut encoder = Encoder::new(generation);
    encoder.loaded(0, &LoadedObject { id: 7, address: 0x1000, size: 0x1000 }).unwrap();
    encoder.program(0, 0x1100).unwrap();
    let mut now = 0;
    for _ in 0..tokens {
        now += step * if random.below(20) == 0 { random.below(1 << 20) } else { random.below(20) };
        let slot = SlotId {
            se: 0,
            cu: random.below(3) as u16,
            simd: random.below(2) as u8,
            slot: random.below(3) as u8,
        };
        let word = if random.below(3) == 0 { random.bits() as u32 } else { random.below(40) as u32 };
        match random.below(17) {
            0 => encoder.start(now, slot),
            16 => encoder.start_in(now, slot, random.below(64)).or_else(|_| encoder.start(now, slot)),
            1 => encoder.end(now, slot),
            2 => encoder.packet_loss(now),
            3 => encoder.program(now, random.bits() >> 20 << 8),
            4 => encoder.user_data(now, random.bits() as u32),
            5 => encoder.token(now, TokenKind::Inst, &[]),
            6 => {
                encoder.token(now, TokenKind::Perf, &[]).or_else(|_| encoder.token(now, TokenKind::Valu, &[]))
            }
            _ => encoder.data(slot, Record { time: now as i64, value: word, flags: RecordFlags::NONE }),
        }
        .unwrap();
    }
    encoder.finish()
}

fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    crate::mutated(bytes, 6, random, |bytes, at, is_insertion, random| {
        if is_insertion {
            bytes.splice(at..at, vec![0; random.below(300) as usize]);
        } else {
            bytes[at] ^= 1 << random.below(8);
        }
    })
}

#[test]
fn changed_streams() {
    let mut random = Random::new(setting("FUZZ_SEED", 7));
    let raw = Raw::new();
    for generation in Generation::ALL {
        for round in 0..60 * setting("FUZZ_ROUNDS", 1) {
            let length = 50 + random.below(400);
            let good = stream(generation, &mut random, length);
            raw.decode(&mutated(&good, &mut random), &format!("{generation} {round}"));
        }
    }
}

#[test]
fn random_bytes_behind_a_header() {
    let mut random = Random::new(setting("FUZZ_SEED", 8));
    let raw = Raw::new();
    for round in 0..40 * setting("FUZZ_ROUNDS", 1) {
        for generation in Generation::ALL {
            let mut bytes = Encoder::new(generation).bytes().to_vec();
            let length = random.below(3000);
            bytes.extend((0..length).map(|_| random.bits() as u8));
            raw.decode(&bytes, &format!("{generation} {round}"));
        }
        // And without one.
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.bits() as u8).collect();
        raw.decode(&bytes, &format!("no header {round}"));
    }
}

#[test]
fn a_stream_cut_off_anywhere_gives_what_came_before() {
    let mut random = Random::new(setting("FUZZ_SEED", 9));
    let raw = Raw::new();
    for generation in Generation::ALL {
        let whole = stream(generation, &mut random, 60);
        let records = |root: &Path| -> Vec<Record> {
            let folders = load(root);
            let mut all: Vec<Record> =
                folders.iter().flat_map(|folder| folder.waves().flat_map(|wave| wave.records())).collect();
            all.sort_by_key(|record| (record.time, record.value));
            all
        };
        raw.decode(&whole, "whole");
        let all = records(raw.root.path());
        let (mut last, mut cut) = (0, 0);
        for length in 0..whole.len() {
            let ledger = raw.decode(&whole[..length], &format!("{generation} {length}"));
            let some = records(raw.root.path());
            assert!(
                some.len() >= last && some.iter().all(|record| all.contains(record)),
                "{generation} {length}"
            );
            last = some.len();
            cut += ledger.count(RemarkKind::TruncatedFile) + ledger.count(RemarkKind::CutAtBufferEnd);
        }
        assert!(cut > 50, "{generation}: {cut}");
    }
}

/// The least tokens, in numbers, of every kind that makes the reader keep something.
#[test]
fn floods_take_linear_time() {
    let raw = Raw::new();
    let slot = SlotId { se: 0, cu: 1, simd: 2, slot: 3 };
    let flood = |generation: Generation, what: &str, token: &dyn Fn(&mut Encoder, u64)| {
        let input = format!("{generation}: {what}");
        crate::work::assert_linear(&input, 20_000, |tokens| {
            let mut encoder = Encoder::new(generation);
            for index in 0..u64::from(tokens) {
                token(&mut encoder, index);
            }
            raw.decode(&encoder.finish(), &input)
        })
    };
    for generation in [Generation::Gfx9, Generation::Gfx11, Generation::Gfx12] {
        let step = if generation == Generation::Gfx9 { 4 } else { 1 };
        let ledger =
            flood(generation, "starts", &|encoder, index| encoder.start(index * step, slot).unwrap());
        assert_eq!(ledger.count(RemarkKind::StartInBusySlot), 19_999);
        let ledger = flood(generation, "ends", &|encoder, index| encoder.end(index * step, slot).unwrap());
        assert_eq!(ledger.count(RemarkKind::EndWithoutStart), 19_999);
        let ledger = flood(generation, "losses", &|encoder, _| encoder.packet_loss(step).unwrap());
        assert_eq!(ledger.count(RemarkKind::PacketLoss), 20_000);
        flood(generation, "starts and losses", &|encoder, index| {
            encoder.start(index * step, slot).unwrap();
            encoder.packet_loss(index * step).unwrap();
        });
        flood(generation, "kernels", &|encoder, index| {
            encoder.program(index * step, index << 8).unwrap();
            encoder.start(index * step, slot).unwrap();
        });
        flood(generation, "code objects", &|encoder, index| {
            let object = LoadedObject { id: index, address: index << 12, size: 0x1000 };
            if index % 8 == 0 {
                encoder.loaded(index * step, &object).unwrap();
            }
        });
        flood(generation, "unloads", &|encoder, index| {
            encoder.user_data(0, 0x434F_5200).unwrap();
            encoder.user_data(0, 4).unwrap();
            encoder.user_data(0, 1 | (index as u32) << 2).unwrap();
        });
    }
    flood(Generation::Gfx9, "resets", &|encoder, _| {
        encoder.token(0, TokenKind::Misc, &[(Field::Subtype, 1)]).unwrap();
    });
    let mut resets = Encoder::new(Generation::Gfx9);
    resets.token(0, TokenKind::Misc, &[(Field::Subtype, 1)]).unwrap();
    raw.decode(&[resets.bytes().to_vec(), vec![0; 8 << 20]].concat(), "a reset before zeros");
    let mut unknown = Encoder::new(Generation::Gfx1250).bytes().to_vec();
    unknown.extend([0x08; 100_000]);
    let ledger = raw.decode(&unknown, "unknown");
    assert!(ledger.count(RemarkKind::UnknownToken) >= 100_000, "{ledger}");
}

/// Streams as from a buffer that was as large as it could be and in which little was written.
#[test]
fn mostly_zeros_are_read_and_said_to_hold_nothing() {
    let mut random = Random::new(3);
    for generation in Generation::ALL {
        let raw = Raw::new();
        for (index, bytes) in [vec![], Encoder::new(generation).finish()].into_iter().enumerate() {
            let path = raw.root.path().join("1_shader_engine_0_1.att");
            std::fs::write(&path, bytes).unwrap();
            std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(24 << 20).unwrap();
            let ledger = all_of_it(raw.root.path(), &format!("{generation} {index}"));
            assert_eq!(ledger.count(RemarkKind::NoWaveData), 1, "{generation} {index}: {ledger}");
            assert_eq!(ledger.count(RemarkKind::UnknownToken), 0, "{generation} {index}: {ledger}");
        }
        let mut bytes = stream(generation, &mut random, 200);
        raw.decode(&bytes, "whole");
        let records: u64 = load(raw.root.path()).iter().map(Trace::record_count).sum();
        bytes.resize(24 << 20, 0);
        let ledger = raw.decode(&bytes, &format!("{generation} and zeros"));
        assert_eq!(load(raw.root.path()).iter().map(Trace::record_count).sum::<u64>(), records, "{ledger}");
        assert!(records > 50);
    }
}
