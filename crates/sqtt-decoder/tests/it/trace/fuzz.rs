//! Every reader on broken and random input: no panic, no hang, memory bounded, losses said. The seeds are
//! fixed and the work is bounded.

use crate::setting;
use std::fs;
use std::path::Path;

use crate::traces::{self, Trace};
use serde_json::json;
use sqtt_decoder::check::check;
use sqtt_decoder::generate::{Plan, Random, Writer, code_object, write};
use sqtt_decoder::memory::{Collector, MemoryOptions};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::stats::Stats;
use sqtt_decoder::trace::{self, LoadOptions, discover};
use sqtt_decoder::values::{ValueType, Values};
use sqtt_decoder::write::{RewriteOptions, rewrite_folder};
use sqtt_decoder::{Filter, RemarkKind, Threads};

/// Runs everything there is on the folder below `root`.
fn all_of_it(root: &Path, input: &str) {
    let folder = traces::load(root);
    let (findings, ledger) = check(&folder);
    let mut stats = Stats::new();
    let same = stats.add_folder(&folder, &Filter::default(), Threads::new(2));
    assert_eq!(ledger, same, "{input}");
    assert!(ledger.is_empty() || !findings.is_empty(), "{input}");
    let (mut last, mut events) = (i64::MIN, 0);
    let corrects = input.contains("M:");
    let merged = folder.decode_in_order(&Filter::default(), |_, event| {
        // Correction may move a wave's first marker before the last one of the wave before it.
        assert!(event.time >= last || event.shader_clock.is_some() || corrects, "{input}");
        last = event.time;
        events += 1;
        Ok::<(), ()>(())
    });
    assert_eq!(merged.unwrap(), ledger, "{input}");
    // A record is one event, and a second one where something else than an exit closes what it opened.
    assert!(events <= 2 * folder.record_count(), "{input}: {events} events");
    let mut memory = Collector::new(MemoryOptions::default());
    assert_eq!(memory.add_folder(&folder, &Filter::default(), Threads::new(2)), ledger, "{input}");
    let mut values = Values::new();
    assert_eq!(values.add_folder(&folder, &Filter::default(), Threads::new(2)), ledger, "{input}");
    for line in memory.into_summary().lines {
        assert!(
            line.active_lanes.sum <= line.active_lanes.possible && line.operations >= line.waves,
            "{input}"
        );
        assert!(line.efficiency.is_none_or(|part| (0.0..=1.0).contains(&part)), "{input}");
    }
    for made in values.into_histograms(ValueType::F32) {
        let binned: u64 = made.bins.iter().map(|bin| bin.count).sum();
        assert_eq!(binned + made.not_finite, made.count, "{input}");
    }
    // Copies files, so only for some.
    if input.bytes().map(u32::from).sum::<u32>() % 4 == 0 {
        written_anew(root, &folder, input);
    }
    for row in stats.into_rows() {
        if let (Some(inclusive), Some(exclusive)) = (row.inclusive, row.exclusive) {
            assert!(exclusive.sum <= inclusive.sum, "{input}");
        }
    }
}

/// A folder that is written anew says the same, and is the same when it is written anew.
fn written_anew(root: &Path, folder: &trace::Trace, input: &str) {
    let catalog = Catalog::read(&discover(&[root.to_owned()]).unwrap().code_objects);
    let out = tempfile::tempdir().unwrap();
    let again = tempfile::tempdir().unwrap();
    let options = RewriteOptions::default();
    rewrite_folder(folder, out.path(), &options).unwrap();
    let written = trace::Trace::load(out.path(), &catalog, LoadOptions::default());
    assert_eq!(traces::events(&written).0, traces::events(folder).0, "{input}");
    rewrite_folder(&written, again.path(), &options).unwrap();
    for entry in fs::read_dir(out.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let read = |folder: &Path| fs::read(folder.join(&name)).unwrap();
        assert!(read(out.path()) == read(again.path()), "{input}: {}", name.display());
    }
}

/// A few changes to a text, most of them to the bytes that make its structure.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    crate::mutated(bytes, 4, random, |bytes, at, is_insertion, random| {
        if is_insertion {
            let long = "9".repeat(60);
            let numbers = ["-1", "18446744073709551615", "1e999", "null", &long];
            bytes.splice(at..at, numbers[random.below(5) as usize].bytes());
        } else {
            bytes[at] = b"[]{}\",:-0"[random.below(9) as usize];
        }
    })
}

#[test]
fn changed_files_of_both_writers() {
    let mut random = Random::new(setting("FUZZ_SEED", 42));
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let root = tempfile::tempdir().unwrap();
        let plan = Plan {
            writer,
            records: 400,
            records_per_wave: 60,
            engines: 1,
            packet_losses: 1,
            ..Plan::default()
        };
        let truth = write(root.path(), &plan).unwrap();
        let names = ["shaderdata_0_0.json", "filenames.json", "occupancy.json", "realtime.json", "code.json"];
        for name in names {
            let path = truth.folder.join(name);
            let good = fs::read(&path).unwrap();
            for round in 0..40 * setting("FUZZ_ROUNDS", 1) {
                fs::write(&path, mutated(&good, &mut random)).unwrap();
                all_of_it(root.path(), &format!("{writer:?} {name} {round}"));
            }
            fs::write(&path, good).unwrap();
        }
        // The code object, and the map in it.
        let path = root.path().join("1234_gfx1200_code_object_id_7.out");
        let good = fs::read(&path).unwrap();
        for round in 0..60 * setting("FUZZ_ROUNDS", 1) {
            let map = plan.funcmap();
            let bytes = if round % 2 == 0 {
                mutated(&good, &mut random)
            } else {
                code_object(&mutated(map.as_bytes(), &mut random))
            };
            fs::write(&path, bytes).unwrap();
            all_of_it(root.path(), &format!("{writer:?} code object {round}"));
        }
    }
}

#[test]
fn random_words_under_random_maps() {
    let mut random = Random::new(setting("FUZZ_SEED", 4711));
    for round in 0..150 * setting("FUZZ_ROUNDS", 1) {
        let mut map = String::from("K:kernel\n");
        if random.below(3) == 0 {
            map += "M:shader_clock_bits=12;shader_clock_shift=4\n";
        }
        for id in 0..random.below(12) {
            let kind = ["F", "U", "P"][random.below(3) as usize];
            let name = ["a", "addr_trace_lds_load", "addr_trace_load", "addr_trace_struct_buffer_load"]
                [random.below(4) as usize];
            map += &format!("{kind}:{id}:{name}\n");
            if random.below(2) == 0 {
                let count = [0, 1, 2, 34, 66, 69, 130, 5000, u32::MAX][random.below(9) as usize];
                map += &format!("R:{id}:extra_payload_count={count}\n");
            }
        }
        let mut trace = Trace::new();
        trace.object(7, &map);
        for _ in 0..random.below(6) {
            let time = random.below(4000) as i64;
            let (start, kernel) = (random.below(2), random.below(2));
            trace.wave(0, json!([time, 1, 2, 3, start, kernel]));
        }
        let events: Vec<_> = (0..random.below(3))
            .map(|_| json!({"kind": "event", "time": random.below(4000), "type": 6}))
            .collect();
        trace.events = json!({"0": events});
        for index in 0..random.below(400) as i64 {
            let word = match random.below(4) {
                0 => random.bits() as u32,
                1 => 1,
                _ => random.below(48) as u32,
            };
            let late = random.below(30) as i64;
            trace.record(index * 10 + late, word, random.below(40).saturating_sub(36) as u8);
        }
        trace.write();
        all_of_it(trace.root.path(), &format!("round {round}: {map}"));
    }
}

#[test]
fn a_map_that_makes_every_word_a_long_block_takes_linear_time() {
    for part in [10, 1] {
        let ledger = crate::work::assert_linear("long blocks", 40_000, |records| {
            let count = if part == 1 { u32::MAX } else { records / part };
            let mut trace = Trace::of_one_wave(&format!("P:1:a\nR:1:extra_payload_count={count}\n"));
            for index in 0..i64::from(records) {
                trace.record(200 + index / 10, 4, 0);
            }
            trace.events().1
        });
        let lost = ledger.count(RemarkKind::TruncatedBlock) + ledger.count(RemarkKind::LostWord);
        assert!(lost > 0, "{ledger}");
    }
}

#[test]
fn times_and_numbers_at_their_limits() {
    let mut trace = Trace::of_one_wave("M:shader_clock_bits=12;shader_clock_shift=20\nU:1:outer\n");
    for (time, word) in [
        (i64::MIN, 0x1230_0006_u32),
        (i64::MAX, 1),
        (-5, 0xFFF0_0001),
        (i64::MAX, 0x7770_0006),
        (0, 6),
        (i64::MIN, 1),
    ] {
        trace.record(time, word, 0);
    }
    trace.wave(0, json!([i64::MIN, 1, 2, 3, 1, 1]));
    trace.wave(0, json!([i64::MAX, 1, 2, 3, 0, u64::MAX]));
    trace.wave(u32::MAX, json!([0, 65_535, 255, 255, 1, 1]));
    trace.row(u32::MAX, json!([0, 6, 65_535, 255, 255, 255]));
    trace.write();
    all_of_it(trace.root.path(), "limits");
}
