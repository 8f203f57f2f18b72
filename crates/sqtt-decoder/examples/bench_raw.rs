//! Raw traces for measuring, and the reading of them.
//!
//! ```text
//! bench_raw make DIR --generation gfx11 --mix instructions --megabytes 64 --files 4
//! bench_raw read DIR --threads 2
//! ```
//!
//! `make` writes `.att` files of one trace, one per shader engine. Mixes: `instructions` is a traced SIMD
//! in full, with a marker's word in one of 40 tokens; `markers` is nothing but traced words of many waves;
//! `zeros` is a buffer that is mostly empty. `read` reads them as all commands do, files in parallel, and
//! prints seconds, bytes and records. `cargo xtask bench raw` measures with both.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on stops")]

use std::path::Path;
use std::time::Instant;

use sqtt_decoder::generate::Random;
use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::{Encoder, Generation, TokenKind};
use sqtt_decoder::trace::{LoadOptions, SlotId, discover};
use sqtt_decoder::{Record, RecordFlags};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).cloned()
    };
    let number = |name: &str, usual: usize| value(name).map_or(usual, |text| text.parse().unwrap());
    let folder = Path::new(args.get(1).unwrap());
    match args[0].as_str() {
        "make" => {
            let name = value("--generation").unwrap_or("gfx11".to_owned());
            let generation = Generation::ALL.into_iter().find(|known| known.name() == name).unwrap();
            let mix = value("--mix").unwrap_or("instructions".to_owned());
            let kilobytes = number("--kilobytes", number("--megabytes", 16) * 1000);
            std::fs::create_dir_all(folder).unwrap();
            for se in 0..number("--files", 1) as u32 {
                let bytes = make(generation, &mix, kilobytes * 1000, se);
                std::fs::write(folder.join(format!("bench_shader_engine_{se}_1.att")), bytes).unwrap();
            }
        }
        "read" => {
            let threads = number("--threads", sqtt_decoder::default_threads());
            let found = discover(&[folder.to_owned()]).unwrap();
            let catalog = Catalog::default();
            let start = Instant::now();
            let (mut bytes, mut records) = (0, 0);
            for source in found.traces() {
                let trace = source.load(&catalog, LoadOptions::default().threads(threads));
                assert!(trace.ledger.is_lossless() || trace.launch_count() > 0, "{}", trace.ledger);
                bytes += source.size();
                records += trace.record_count();
            }
            println!("{} {bytes} {records}", start.elapsed().as_secs_f64());
        }
        other => panic!("{other}: make or read"),
    }
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
    let filled = if mix == "zeros" { bytes / 1000 } else { bytes };
    while encoder.bytes().len() < filled {
        now += step * (1 + random.below(3));
        if mix == "markers" || random.below(40) == 0 {
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
    if mix == "zeros" {
        stream.resize(bytes, 0);
    }
    stream
}
