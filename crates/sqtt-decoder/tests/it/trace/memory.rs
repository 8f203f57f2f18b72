//! Traces in memory: what is read of them is what is read of the same files on disk.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::traces::events;
use flate2::Compression;
use flate2::write::GzEncoder;
use sqtt_decoder::generate::{Plan, Writer, write, write_raw};
use sqtt_decoder::{Ledger, LoadOptions, MemoryFiles, Trace, TraceError, discover};

/// Takes all files below a folder into memory.
fn take(folder: &Path, files: &mut MemoryFiles) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            take(&path, files);
        } else {
            files.read(&path, fs::File::open(&path).unwrap()).unwrap();
        }
    }
}

fn compress(path: &Path) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&fs::read(path).unwrap()).unwrap();
    fs::write(format!("{}.gz", path.display()), encoder.finish().unwrap()).unwrap();
    fs::remove_file(path).unwrap();
}

/// All that was read of traces.
fn text(ledger: &Ledger, traces: impl Iterator<Item = Trace>) -> String {
    let mut text = format!("{ledger:?}");
    for trace in traces {
        let Trace { path, gfxip, engines, real_time, files, ledger, is_raw, version, .. } = &trace;
        text += &format!(
            "\n{path:?} {gfxip:?} {engines:?} {real_time:?} {files:?} {ledger:?} {is_raw} {version:?}"
        );
        text += &format!("\n{:?}", events(&trace));
    }
    text
}

/// Reads what is below a folder from disk and, once it is gone, from memory.
fn same(root: tempfile::TempDir, input: &str) {
    let found = discover(&[root.path().to_owned()]).unwrap();
    let catalog = found.catalog();
    let traces = found.traces().map(|source| source.load(&catalog, LoadOptions::default()));
    let from_disk =
        text(&found.ledger, traces).replace("No such file or directory (os error 2)", "entity not found");
    let mut files = MemoryFiles::new();
    take(root.path(), &mut files);
    root.close().unwrap();

    let found = files.discover().unwrap();
    assert!(!found.code_objects.is_empty(), "{input}");
    let catalog = files.catalog(&found);
    let options = LoadOptions::default().files(&files);
    let from_memory = text(&found.ledger, found.traces().map(|source| source.load(&catalog, options)));
    let differs = from_disk.bytes().zip(from_memory.bytes()).position(|(disk, memory)| disk != memory);
    let around = |text: &str| {
        let at = differs.unwrap_or_default();
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(100)..(at + 100).min(text.len())])
            .into_owned()
    };
    assert!(from_disk == from_memory, "{input}:\n{}\n{}", around(&from_disk), around(&from_memory));
    assert!(from_memory.len() > 10_000, "{input}: {from_memory}");
}

#[test]
fn traces_in_memory_are_read_as_on_disk() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let plan = Plan { writer, records: 2_000, records_per_file: 300, ..Plan::default() };
        let root = tempfile::tempdir().unwrap();
        write(root.path(), &plan).unwrap();
        same(root, &format!("{writer:?}"));
    }
    let root = tempfile::tempdir().unwrap();
    write_raw(root.path(), &Plan { records: 2_000, ..Plan::default() }).unwrap();
    same(root, "raw");
}

#[test]
fn compressed_and_missing_files_in_memory_are_as_on_disk() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { records: 2_000, records_per_file: 300, ..Plan::default() };
    let folder = write(root.path(), &plan).unwrap().folder;
    compress(&folder.join("occupancy.json"));
    compress(&folder.join("shaderdata_0_0.json"));
    fs::remove_file(folder.join("shaderdata_0_1.json")).unwrap();
    same(root, "compressed");
}

#[test]
fn memory_without_a_trace_has_none() {
    let mut files = MemoryFiles::new();
    files.add("notes.txt", b"hello".to_vec());
    assert!(matches!(files.discover(), Err(TraceError::NoTrace { .. })));
}
