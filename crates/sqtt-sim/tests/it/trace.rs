//! A run, written as a trace and read again: the raw streams and the JSON both say what the run did.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{LoadOptions, Record, RecordFlags, SlotId, Trace, discover};
use sqtt_decoder::write::NewFolder;
use sqtt_decoder::{Filter, RemarkKind};
use sqtt_sim::{Program, RunResult, write_trace};

/// A wave: start, end, workgroup and records.
type Life = (i64, Option<i64>, Option<i64>, Vec<Record>);

/// The waves of every slot, in order.
type Waves = BTreeMap<SlotId, Vec<Life>>;

/// `workgroup` is what a trace says of a workgroup's number.
fn of_run(result: &RunResult, workgroup: impl Fn(u64) -> Option<u64>) -> Waves {
    let mut waves = Waves::new();
    for wave in &result.waves {
        let slot = SlotId { se: wave.se, cu: wave.cu as u16, simd: wave.simd as u8, slot: wave.slot as u8 };
        let records = wave.markers.iter().map(|marker| Record {
            time: marker.time as i64,
            value: marker.value,
            flags: RecordFlags::IMMEDIATE.when(marker.immediate),
        });
        let workgroup = workgroup(wave.workgroup_number).map(|number| number as i64);
        let life = (wave.start as i64, wave.end.map(|end| end as i64), workgroup, records.collect());
        waves.entry(slot).or_default().push(life);
    }
    waves
}

fn of_trace(folder: &Trace) -> Waves {
    let mut waves = Waves::new();
    for wave in folder.waves() {
        let launch = wave.launch.unwrap();
        let records = wave.records().collect();
        let workgroup = launch.origin.and_then(|origin| origin.workgroup);
        waves.entry(wave.slot).or_default().push((launch.time, launch.retired, workgroup, records));
    }
    waves
}

/// Every event of every wave as text, and how much of what was lost.
fn events(folder: &Trace) -> (Vec<String>, Vec<(RemarkKind, u64)>) {
    let mut lines = Vec::new();
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let kernel = wave.kernel.map(|kernel| String::from_utf8_lossy(kernel.name.as_bytes()).into_owned());
        lines.push(format!("{} {} {kernel:?}", wave.slot, wave.generation));
        while let Some(event) = stream.next() {
            lines.push(format!("{event:?}"));
        }
    });
    (lines, ledger.tallies().map(|(kind, tally)| (kind, tally.count)).collect())
}

fn load(paths: &[PathBuf]) -> Trace {
    let found = discover(paths).unwrap();
    let catalog = Catalog::read(&found.code_objects);
    let sources: Vec<_> = found.traces().collect();
    assert_eq!(sources.len(), 1, "{found:?}");
    sources[0].load(&catalog, LoadOptions::default())
}

pub(crate) fn round_trip(code_object: &[u8], program: &Program, kernel: &str, result: &RunResult) {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("traced");
    write_trace(NewFolder::create(&target).unwrap(), code_object, program, kernel, result).unwrap();
    let json = load(std::slice::from_ref(&target));
    assert!(!json.is_raw);
    let files = std::fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "att")).collect();
    files.sort();
    assert_eq!(files.len(), 2);
    let raw = load(&files);
    assert!(raw.is_raw && raw.ledger.is_empty(), "{}", raw.ledger);
    // The JSON has every number; streams have five bits of it, and only gfx12's.
    let is_told = program.target().generation() == 12;
    assert_eq!(of_trace(&raw), of_run(result, |number| is_told.then_some(number % 32)));
    assert_eq!(of_trace(&json), of_run(result, Some));
    assert_eq!(events(&raw), events(&json));
    let names: Vec<_> = raw.kernels.values().map(|kernel| kernel.name.as_bytes()).collect();
    assert_eq!(names, [kernel.as_bytes()]);
    assert_eq!(raw.real_time, json.real_time.filter(|real| !real.samples.is_empty()));
}
