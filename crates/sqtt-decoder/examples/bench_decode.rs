//! Compares decoding with parsing the same files, in time and in memory.
//!
//! ```text
//! cargo run --release -p sqtt-decoder --example bench_decode -- [--records N] [--held N] [--threads N] [--keep DIR]
//! ```
//!
//! Makes a trace of N records (1.5 million where nothing is said) and runs every contestant on it, in turns, each in
//! a process of its own: the JSON parsers `serde_json`, `sonic-rs` and `simd-json`, which parse each record file
//! into a `Vec` of rows of six numbers, and the decoder, which reads the folder and takes every wave through its
//! state machine. User time counts, the least of several runs; a run does its work ten times, since systems count
//! user time in hundredths of a second. Then the decoder reads one trace of 6.6 million records, once: what counts is
//! its peak memory above that of a trace of 1000 records.
//!
//! Prints a table, and exits 1 where a goal is missed: at most 0.9 times the fastest parser's user time on one
//! thread, at most 16 bytes a record.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use sqtt_decoder::generate::{Plan, write};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{LoadOptions, Trace, discover};
use sqtt_decoder::{Filter, Threads};

/// A record, as a parser sees it.
type Row = (i64, u64, u32, u32, u32, u32);

#[derive(Deserialize)]
struct ShaderData {
    records: Vec<Row>,
}

const CONTESTANTS: [&str; 4] = ["serde_json", "sonic-rs", "simd-json", DECODER];
const DECODER: &str = "decode";

/// The decoder's user time, in those of the fastest parser.
const TIME: f64 = 0.9;
/// Bytes for each record.
const MEMORY: f64 = 16.0;

/// Runs of each contestant, of which the fastest counts.
const RUNS: usize = 5;
/// Times that a run does its work.
const ROUNDS: u32 = 10;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).cloned()
    };
    let number = |name: &str| value(name).map(|text| text.parse::<u64>().unwrap());
    let threads = number("--threads").map_or_else(Threads::per_core, |count| Threads::new(count as usize));
    if let Some(contestant) = value("--run") {
        let rounds = number("--rounds").unwrap_or(1) as u32;
        return run(&contestant, Path::new(&value("--in").unwrap()), threads, rounds);
    }
    let temporary = tempfile::tempdir().unwrap();
    let root = value("--keep").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let missed = [
        time(&root, number("--records").unwrap_or(1_500_000), threads),
        memory(&root, number("--held").unwrap_or(6_000_000)),
    ];
    if missed.contains(&true) {
        println!(
            "goal missed: at most {TIME} times the fastest parser's user time on one thread, at most {MEMORY} bytes a record"
        );
        std::process::exit(1);
    }
}

/// Compares times. Whether the goal is missed.
fn time(root: &Path, records: u64, threads: Threads) -> bool {
    let root = root.join("time");
    let (count, bytes) = make(&root, records);
    println!(
        "{count} records, {bytes} bytes in files of 65,536 records at most; user time, the least of {RUNS} runs"
    );
    let mut least = [f64::INFINITY; CONTESTANTS.len()];
    for _ in 0..RUNS {
        for (contestant, least) in CONTESTANTS.iter().zip(&mut least) {
            *least = least.min(measure(contestant, &root, Threads::ONE, ROUNDS).user);
        }
    }
    for (contestant, seconds) in CONTESTANTS.iter().zip(least) {
        println!("{contestant:>20}: {seconds:>7.3} s  {:>7.0} MB/s", bytes as f64 / seconds / 1e6);
    }
    let [parsers @ .., decoder] = &least;
    let best = parsers.iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = decoder / best;
    println!("the decoder takes {ratio:.2} times the fastest parser's");
    if threads != Threads::ONE {
        let elapsed = [Threads::ONE, threads].map(|threads| measure(DECODER, &root, threads, ROUNDS).elapsed);
        println!("elapsed: {:.3} s on one thread, {:.3} s on {threads}", elapsed[0], elapsed[1]);
    }
    ratio > TIME
}

/// Measures memory. Whether the goal is missed.
fn memory(root: &Path, records: u64) -> bool {
    let (small, large) = (root.join("small"), root.join("large"));
    make(&small, 1000);
    let (count, _) = make(&large, records);
    let [base, peak] = [&small, &large].map(|root| measure(DECODER, root, Threads::ONE, 1).peak);
    let per_record = peak.saturating_sub(base) as f64 / count as f64;
    println!("{count} records: peak {peak} bytes, {per_record:.1} a record above the {base} of 1000 records");
    per_record > MEMORY
}

/// Records and bytes of a trace.
fn make(root: &Path, records: u64) -> (u64, u64) {
    std::fs::create_dir_all(root).unwrap();
    // Every slot has whole waves.
    let few = records < 1_000_000;
    let plan = Plan {
        records,
        engines: 4,
        cus: if few { 1 } else { 4 },
        simds: if few { 1 } else { 4 },
        slots: 8,
        records_per_wave: if few { 30 } else { 750 },
        ..Plan::default()
    };
    let truth = write(root, &plan).unwrap();
    let sizes = truth.files.iter().map(|file| std::fs::metadata(file).unwrap().len());
    (truth.records, sizes.sum())
}

/// Cost of a run.
struct Measured {
    user: f64,
    elapsed: f64,
    peak: u64,
}

/// Runs a contestant in a process of its own. Times are those of one round.
fn measure(contestant: &str, root: &Path, threads: Threads, rounds: u32) -> Measured {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--run",
            contestant,
            "--threads",
            &threads.to_string(),
            "--rounds",
            &rounds.to_string(),
            "--in",
        ])
        .arg(root)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{contestant}: {}", String::from_utf8_lossy(&output.stderr));
    let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().unwrap());
    let mut next = || numbers.next().unwrap();
    Measured { user: next() / f64::from(rounds), elapsed: next() / f64::from(rounds), peak: next() as u64 }
}

fn run(contestant: &str, root: &Path, threads: Threads, rounds: u32) {
    let found = discover(&[root.to_owned()]).unwrap();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&found.folders[0]).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("shaderdata_"));
    // Nobody pays for the disk.
    for file in &files {
        let mut file = BufReader::new(std::fs::File::open(file).unwrap());
        let mut buffer = vec![0; 1 << 20];
        while file.read(&mut buffer).unwrap() > 0 {}
    }
    let (start, user) = (Instant::now(), user_seconds());
    for _ in 0..rounds {
        let total = match contestant {
            DECODER => decode(&found.folders[0], &found.code_objects, threads),
            parser => files.iter().map(|file| parse(parser, std::fs::read(file).unwrap())).sum(),
        };
        assert!(total > 0);
    }
    let elapsed = start.elapsed().as_secs_f64();
    let user = user_seconds().zip(user).map_or(elapsed, |(now, before)| now - before);
    println!("{user} {elapsed} {}", peak_bytes());
}

/// Records of a file.
fn parse(parser: &str, mut bytes: Vec<u8>) -> usize {
    let data: ShaderData = match parser {
        "serde_json" => serde_json::from_slice(&bytes).unwrap(),
        "sonic-rs" => sonic_rs::from_slice(&bytes).unwrap(),
        _ => simd_json::serde::from_slice(&mut bytes).unwrap(),
    };
    data.records.len()
}

/// Reads the folder and takes every event of every wave.
fn decode(folder: &Path, code_objects: &[PathBuf], threads: Threads) -> usize {
    let catalog = Catalog::read(code_objects);
    let folder = Trace::load(folder, &catalog, LoadOptions::default().threads(threads));
    let (counts, ledger) = folder.decode_parallel(
        threads,
        &Filter::default(),
        || 0,
        |count, _, stream| {
            while stream.next().is_some() {
                *count += 1;
            }
        },
    );
    eprintln!("{ledger}");
    counts.iter().sum()
}

/// The user time of this process so far, where the system says it: Linux counts it in hundredths of a second.
fn user_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name, which may hold anything, is in brackets.
    let ticks: f64 = stat.rsplit_once(')')?.1.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

/// The most memory that this process had; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}
