//! Speed of reading raw traces for what markers need.
//!
//! `cargo xtask bench raw` installs what is needed and runs it. It writes `.att` files of one trace, one per shader
//! engine, and reads them as all commands do, files in parallel. Instructions are those of a large file less those of a
//! small one, so that start-up and tables fall out: callgrind counts this program as `bench_raw DIR`, which only reads.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};
use sqtt_decoder::generate::Random;
use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::{Encoder, Generation, TokenKind};
use sqtt_decoder::trace::{LoadOptions, SlotId, discover};
use sqtt_decoder::{Record, RecordFlags, Threads};

/// Contents of the files, and the instructions a byte that are aimed at: in `INSTRUCTIONS` a marker's word is one of 40
/// tokens, in `MARKERS` there is nothing but traced words of many waves.
const MIXES: [(&str, f64); 3] = [(INSTRUCTIONS, 12.0), (MARKERS, 13.0), (ZEROS, 1.0)];
const INSTRUCTIONS: &str = "a SIMD traced in full";
const MARKERS: &str = "markers alone";
const ZEROS: &str = "a buffer mostly empty";

const GENERATIONS: [Generation; 4] =
    [Generation::Gfx9, Generation::Gfx10, Generation::Gfx11, Generation::Gfx12];

/// Runs, whose shortest time counts.
const RUNS: usize = 5;
/// Kilobytes of a file.
const SIZE: usize = 64_000;
/// Files that are read in parallel.
const FILES: u32 = 8;
/// Kilobytes of the files that callgrind sees.
const COUNTED: [usize; 2] = [500, 4500];

fn main() -> Result<()> {
    if let Some(folder) = std::env::args().nth(1) {
        rate(Path::new(&folder), Threads::ONE);
        return Ok(());
    }
    let work = tempfile::tempdir()?;
    let cores = Threads::per_core();
    println!(
        "one file of {} MB on one thread, {FILES} files on one and on {cores}; best of {RUNS}; callgrind with one",
        SIZE / 1000
    );
    println!(
        "{:<8}{:<24}{:>14}{:>18}{:>18}{:>20}",
        "", "what is in it", "MB/s, 1 file", "MB/s, all files", "on all cores", "instructions a byte"
    );
    let mut missed = Vec::new();
    for generation in GENERATIONS {
        for (mix, aim) in MIXES {
            let name = generation.name();
            let make = |files, kilobytes| write(work.path(), generation, mix, files, kilobytes);
            let best = |folder: &Path, threads| (0..RUNS).map(|_| rate(folder, threads)).fold(0.0, f64::max);
            let one = make(1, SIZE);
            let alone = best(&one, Threads::ONE);
            let many = make(FILES, SIZE / 4);
            let (serial, parallel) = (best(&many, Threads::ONE), best(&many, cores));
            let counted = COUNTED.map(|kilobytes| make(1, kilobytes));
            let read = |folder: &PathBuf| {
                let mut read = Command::new(std::env::current_exe().unwrap());
                read.arg(folder);
                read
            };
            let more = commands::more_instructions([read(&counted[0]), read(&counted[1])], work.path())?;
            let instructions = more as f64 / ((COUNTED[1] - COUNTED[0]) * 1000) as f64;
            println!("{name:<8}{mix:<24}{alone:>14.0}{serial:>18.0}{parallel:>18.0}{instructions:>20.2}");
            if instructions > aim {
                missed.push(format!("{name}, {mix}: {instructions:.2} instructions a byte, not {aim}"));
            }
            for folder in [one, many].into_iter().chain(counted) {
                std::fs::remove_dir_all(folder)?;
            }
        }
    }
    ensure!(missed.is_empty(), "aims missed: {}", missed.join("; "));
    let aims = MIXES.map(|(mix, aim)| format!("{aim} for {mix}"));
    println!("instructions a byte are below what is aimed at: {}", aims.join(", "));
    Ok(())
}

/// Reads a folder; gives megabytes a second.
fn rate(folder: &Path, threads: Threads) -> f64 {
    let found = discover(&[folder.to_owned()]).unwrap();
    let catalog = Catalog::default();
    let start = Instant::now();
    let mut bytes = 0;
    for source in found.traces() {
        let trace = source.load(&catalog, LoadOptions::default().threads(threads));
        assert!(trace.ledger.is_lossless() || trace.launch_count() > 0, "{}", trace.ledger);
        bytes += source.size();
    }
    bytes as f64 / start.elapsed().as_secs_f64() / 1e6
}

/// Writes raw files of so many kilobytes each into a folder.
fn write(work: &Path, generation: Generation, mix: &str, files: u32, kilobytes: usize) -> PathBuf {
    let folder = work.join(format!("{files}-{kilobytes}"));
    std::fs::create_dir_all(&folder).unwrap();
    for se in 0..files {
        let bytes = make(generation, mix, kilobytes * 1000, se);
        std::fs::write(folder.join(format!("bench_shader_engine_{se}_1.att")), bytes).unwrap();
    }
    folder
}

fn make(generation: Generation, mix: &str, bytes: usize, se: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(se) + 1);
    let mut encoder = Encoder::new(generation);
    let step = if generation == Generation::Gfx9 { 4 } else { 1 };
    let mut now = 0;
    let slots: Vec<SlotId> = (0..64)
        .map(|index| SlotId { se, cu: index / 32, simd: (index % 4) as u8, slot: (index / 4 % 8) as u8 })
        .collect();
    encoder.program(0, 0x1000).unwrap();
    for slot in &slots {
        encoder.start(0, *slot).unwrap();
    }
    let instructions: &[TokenKind] = match generation {
        Generation::Gfx9 => {
            &[TokenKind::Misc, TokenKind::Misc, TokenKind::Misc, TokenKind::Issue, TokenKind::Inst]
        }
        _ => &[
            TokenKind::VmemExec,
            TokenKind::VmemExec,
            TokenKind::Inst,
            TokenKind::Inst,
            TokenKind::Valu,
            TokenKind::ImmOne,
        ],
    };
    let filled = if mix == ZEROS { bytes / 1000 } else { bytes };
    while encoder.bytes().len() < filled {
        now += step * (1 + random.below(3));
        if mix == MARKERS || random.below(40) == 0 {
            let slot = slots[random.below(64) as usize];
            let record = Record { time: now as i64, value: random.bits() as u32, flags: RecordFlags::NONE };
            encoder.data(slot, record).unwrap();
        } else {
            let kind = instructions[random.below(instructions.len() as u64) as usize];
            encoder.token(now, kind, &[]).unwrap();
        }
    }
    for slot in &slots {
        now += 2 * step;
        encoder.end(now, *slot).unwrap();
    }
    let mut stream = encoder.finish();
    if mix == ZEROS {
        stream.resize(bytes, 0);
    }
    stream
}
