//! How long decoding takes against parsing the same files, and how much memory it needs.
//!
//! ```text
//! cargo run --release -p sqtt-decoder --example bench_decode -- [--records N] [--threads N] [--keep DIR]
//! ```
//!
//! Makes a trace of N records (10 million where nothing is said), then runs every contestant once, in a
//! process of its own, so that each one's peak memory is its own: the JSON parsers `serde_json`,
//! `sonic-rs` and `simd-json`, which parse each record file into a `Vec` of rows of six numbers, and the
//! decoder, which reads the folder and takes every wave through its state machine. Prints a table and
//! the ratio to the fastest parser; exits 1 where a goal is missed (1.5 times the time on one thread,
//! 40 bytes a record above what a trace of 1000 records takes).
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use sqtt_decoder::Filter;
use sqtt_decoder::generate::{Plan, write};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{Folder, LoadOptions, discover};

/// A record, as a parser sees it.
type Row = (i64, u64, u32, u32, u32, u32);

#[derive(Deserialize)]
struct ShaderData {
    records: Vec<Row>,
}

const PARSERS: [&str; 3] = ["serde_json", "sonic-rs", "simd-json"];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).cloned()
    };
    let threads = value("--threads").map_or_else(sqtt_decoder::default_threads, |text| text.parse().unwrap());
    if let Some(contestant) = value("--run") {
        return run(&contestant, Path::new(&value("--in").unwrap()), threads);
    }
    let records = value("--records").map_or(10_000_000, |text| text.parse().unwrap());
    let temporary = tempfile::tempdir().unwrap();
    let root = value("--keep").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    let small = root.join("small");
    let large = root.join("large");
    make(&small, 1000);
    let (count, bytes) = make(&large, records);
    println!("{count} records, {bytes} bytes in files of 65,536 records; {threads} threads at most");

    let mut fastest: Option<(f64, &str)> = None;
    for parser in PARSERS {
        let (seconds, peak) = measure(parser, &large, 1);
        report(parser, seconds, peak, bytes);
        if fastest.is_none_or(|(best, _)| seconds < best) {
            fastest = Some((seconds, parser));
        }
    }
    let (best, parser) = fastest.unwrap();
    let (_, base) = measure("decode", &small, 1);
    let mut missed = false;
    let mut counts = vec![1];
    counts.extend((threads > 1).then_some(threads));
    for threads in counts {
        let (seconds, peak) = measure("decode", &large, threads);
        report(&format!("decode, {threads} threads"), seconds, peak, bytes);
        let ratio = seconds / best;
        let per_record = peak.saturating_sub(base) as f64 / count as f64;
        println!("  {ratio:.2} times {parser}, {per_record:.1} bytes a record above {base} bytes");
        missed |= threads == 1 && (ratio > 1.5 || per_record > 40.0);
    }
    if missed {
        println!(
            "goal missed: at most 1.5 times the fastest parser on one thread, at most 40 bytes a record"
        );
        std::process::exit(1);
    }
}

/// Records and bytes of a trace.
fn make(root: &Path, records: u64) -> (u64, u64) {
    std::fs::create_dir_all(root).unwrap();
    let plan =
        Plan { records, engines: 4, cus: 4, simds: 4, slots: 8, records_per_wave: 2000, ..Plan::default() };
    let truth = write(root, &plan).unwrap();
    let sizes = truth.files.iter().map(|file| std::fs::metadata(file).unwrap().len());
    (truth.records, sizes.sum())
}

fn report(name: &str, seconds: f64, peak: u64, bytes: u64) {
    let rate = bytes as f64 / seconds / 1e6;
    println!("{name:>20}: {seconds:>7.3} s  {rate:>7.0} MB/s  peak {:>7.1} MB", peak as f64 / 1e6);
}

/// Runs a contestant in a process of its own: seconds and peak bytes.
fn measure(contestant: &str, root: &Path, threads: usize) -> (f64, u64) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--run", contestant, "--threads", &threads.to_string(), "--in"])
        .arg(root)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{contestant}: {}", String::from_utf8_lossy(&output.stderr));
    let mut numbers = text.split_whitespace();
    (numbers.next().unwrap().parse().unwrap(), numbers.next().unwrap().parse().unwrap())
}

fn run(contestant: &str, root: &Path, threads: usize) {
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
    let start = Instant::now();
    let mut total = 0;
    if contestant == "decode" {
        total = decode(&found.folders[0], &found.code_objects, threads);
    } else {
        for file in &files {
            let mut bytes = std::fs::read(file).unwrap();
            let data: ShaderData = match contestant {
                "serde_json" => serde_json::from_slice(&bytes).unwrap(),
                "sonic-rs" => sonic_rs::from_slice(&bytes).unwrap(),
                _ => simd_json::serde::from_slice(&mut bytes).unwrap(),
            };
            total += data.records.len();
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(total > 0);
    println!("{seconds} {}", peak_bytes());
}

/// Reads the folder and takes every event of every wave.
fn decode(folder: &Path, code_objects: &[PathBuf], threads: usize) -> usize {
    let catalog = Catalog::read(code_objects);
    let folder = Folder::load(folder, &catalog, LoadOptions { threads, progress: None });
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

/// The most memory that this process had; 0 where the system does not say.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}
