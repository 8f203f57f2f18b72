//! Measures what becomes of words that are missing without a word in the trace that says so: the table in
//! `docs/decoding.md`. Nothing is promised, and nothing asserted.
//!
//! Each wave of a generated trace loses once. Wrong is a wave with an event that it had not done, or a payload that is not
//! the event's.
#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on ends")]

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use sqtt_decoder::generate::{Done, Plan, Random, WaveTruth, write};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::Generation;
use sqtt_decoder::trace::{LoadOptions, Trace, discover};
use sqtt_decoder::{Filter, RemarkKind};
use sqtt_format::WaveSize;

/// Losses of a marker with so many words after its header, as places from the header on.
type Damage = fn(usize, &mut Random) -> Vec<usize>;

const DAMAGES: [(&str, bool, Damage); 6] = [
    ("a run of words of an address block", true, |length, random| run(1..length + 1, random)),
    ("a word of each half of it", true, |length, random| {
        let half = length / 2;
        vec![1 + below(half, random), 1 + half + below(length - half, random)]
    }),
    ("its header", true, |_, _| vec![0]),
    ("its header and words behind it", true, |length, random| (0..2 + below(length, random)).collect()),
    ("its end and up to 40 words behind it", true, |length, random| {
        let first = 1 + below(length, random);
        (first..length + 2 + below(40, random)).collect()
    }),
    ("the word of a data marker", false, |_, _| vec![1]),
];

fn below(end: usize, random: &mut Random) -> usize {
    random.below(end as u64) as usize
}

fn run(words: std::ops::Range<usize>, random: &mut Random) -> Vec<usize> {
    let first = words.start + below(words.len(), random);
    (first..first + 1 + below(words.end - first, random)).collect()
}

/// The times of the records that a wave loses. Those of an engine all differ.
fn choose(wave: &WaveTruth, of_block: bool, damage: Damage, random: &mut Random) -> Vec<i64> {
    let sort = |length: usize| if of_block { length > 10 } else { length == 1 };
    let fitting: Vec<usize> = (0..wave.done.len()).filter(|&at| sort(wave.done[at].payload.len())).collect();
    let Some(&at) = fitting.get(below(fitting.len(), random)) else { return Vec::new() };
    let words: Vec<i64> = wave.done[at..].iter().flat_map(|done| done.arrived.iter().copied()).collect();
    let lost = damage(wave.done[at].payload.len(), random);
    lost.into_iter().filter_map(|index| words.get(index).copied()).collect()
}

fn main() {
    let cells = ["damaged waves", "wrong", "said to be cut", "made up", "missing, sound"];
    for (generation, wave) in [(Generation::Gfx9, WaveSize::Wave64), (Generation::Gfx11, WaveSize::Wave32)] {
        println!("| {generation}, lost is | {} |\n|---|{}", cells.join(" | "), "---|".repeat(cells.len()));
        for (seed, (name, of_block, damage)) in (1..).zip(DAMAGES) {
            let plan = Plan {
                seed,
                generation,
                wave,
                engines: 1,
                records: 600_000,
                records_per_file: u64::MAX,
                truth: true,
                ..Plan::default()
            };
            let counts = measure(&plan, of_block, damage);
            println!("| {name} | {} |", counts.map(|count| count.to_string()).join(" | "));
        }
        println!();
    }
}

/// Counts, as the table has them.
fn measure(plan: &Plan, of_block: bool, damage: Damage) -> [u64; 5] {
    let root = tempfile::tempdir().unwrap();
    let truth = write(root.path(), plan).unwrap();
    let mut random = Random::new(plan.seed);
    let lost: Vec<HashSet<i64>> = truth
        .waves
        .iter()
        .map(|wave| choose(wave, of_block, damage, &mut random).into_iter().collect())
        .collect();
    let all: HashSet<i64> = lost.iter().flatten().copied().collect();
    let mut file: Value = serde_json::from_slice(&std::fs::read(&truth.files[0]).unwrap()).unwrap();
    let rows = file["records"].as_array_mut().unwrap();
    rows.retain(|row| !all.contains(&row[0].as_i64().unwrap()));
    std::fs::write(&truth.files[0], serde_json::to_vec(&file).unwrap()).unwrap();

    let waves: HashMap<_, _> = (truth.waves.iter().zip(&lost))
        .map(|(wave, lost)| ((wave.slot, wave.life.0), (wave, lost)))
        .collect();
    let found = discover(&[root.path().to_owned()]).unwrap();
    let folder = Trace::load(&found.folders[0], &Catalog::read(&found.code_objects), LoadOptions::default());
    let [mut damaged, mut wrong, mut made_up, mut missing] = [0; 4];
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let slot = (wave.slot.se, wave.slot.cu, wave.slot.simd, wave.slot.slot);
        let (truth, lost) = waves[&(slot, wave.launch.unwrap().time)];
        let mut done: HashMap<i64, _> = truth.done.iter().map(|done| (done.arrived[0], done)).collect();
        let mut own = 0;
        while let Some(event) = stream.next() {
            let Some(raw) = event.raw else { continue };
            match done.get(&event.arrival) {
                Some(_) if event.truncated => {}
                Some(marker) if marker.word == raw && marker.payload == event.payload => {
                    done.remove(&event.arrival);
                }
                _ => own += 1,
            }
        }
        let is_sound = |done: &&Done| !done.arrived.iter().any(|time| lost.contains(time));
        damaged += u64::from(!lost.is_empty());
        wrong += u64::from(own > 0);
        made_up += own;
        missing += done.into_values().filter(is_sound).count() as u64;
    });
    [damaged, wrong, ledger.count(RemarkKind::TruncatedBlock), made_up, missing]
}
