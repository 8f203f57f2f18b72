//! Traces, golden files and a strict reading of Chrome's trace event JSON.

pub(crate) mod browser;
pub(crate) mod chrome;

#[path = "../../../sqtt-decoder/tests/it/traces.rs"]
#[expect(dead_code, reason = "flat lists of events are for the decoder")]
pub(crate) mod traces;

use std::path::Path;

use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{self, LoadOptions, discover};

/// All trace folders below a path.
pub(crate) fn load_all(root: &Path) -> Vec<trace::Trace> {
    let found = discover(&[root.to_owned()]).unwrap();
    let catalog = Catalog::read(&found.code_objects);
    let options = LoadOptions::default().threads(sqtt_decoder::Threads::new(2));
    found.folders.iter().map(|path| trace::Trace::load(path, &catalog, options)).collect()
}

/// A small generated trace of one engine, with late headers, losses and data markers.
pub(crate) fn small_generated() -> (tempfile::TempDir, trace::Trace) {
    use sqtt_decoder::generate::{Plan, Writer, write};
    let root = tempfile::tempdir().unwrap();
    let plan = Plan {
        seed: 7,
        writer: Writer::AttTool,
        engines: 1,
        cus: 1,
        simds: 1,
        slots: 2,
        records: 300,
        records_per_wave: 80,
        packet_losses: 1,
        ..Plan::default()
    };
    write(root.path(), &plan).unwrap();
    let folder = traces::load(root.path());
    (root, folder)
}

/// Compares with a golden file, which has to exist. `BLESS=1` writes it instead.
pub(crate) fn golden(name: &str, text: &str) {
    test_data::golden(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden")).join(name), text);
}

/// A funcmap with names that break formats: separators, markup, quotes, numbers, control characters, bytes
/// that are no UTF-8, very long ones.
pub(crate) fn hostile_map() -> Vec<u8> {
    let mut map = b"K:kernel\nU:1:a;b 12\nU:2:</title></svg><script>alert(1)</script>\nU:3:\"quoted\" & 'more' \\ end\n\
        U:4: leading and trailing \nU:5:# comment 7\nU:6:\xFF\xFE no UTF-8\nU:7:tab\there \x1b[31mred\x07\nP:8:]]>--><!--\n\
        R:8:extra_payload_count=1\nU:9:operator()(int) const 3.5\nU:10:_[k]\nU:11:__proto__\n\
        F:12:_ZN2ns4gemmIfNS_5TupleIiLi4EEEEEvPT_@/src/\"odd\" <path>;.hip:9\nU:13:\xE2\x80\xA8line separator\nU:14:"
        .to_vec();
    map.extend(std::iter::repeat_n(b'x', 5000));
    map.extend_from_slice(b"\nU:15:\xF0\x9F\x94\xA5 fire\n");
    map
}

/// One wave that enters and leaves every scope of [`hostile_map`], each in the one before.
pub(crate) fn hostile() -> traces::Trace {
    let mut trace = traces::Trace::new();
    let file = trace.root.path().join("1_gfx1200_code_object_id_7.out");
    std::fs::write(file, sqtt_decoder::generate::code_object(&hostile_map())).unwrap();
    trace.launch(100, 1);
    trace.retire(10_000);
    let scopes = (1..=15).filter(|id| *id != 8);
    let words: Vec<u32> = scopes.clone().map(|id| id << 2 | 2).chain([8 << 2, 0xFFFF_FFFF]).collect();
    trace.words(&words);
    for (index, _) in scopes.enumerate() {
        trace.record(1000 + 10 * index as i64, 1, 0);
    }
    trace.write();
    trace
}
