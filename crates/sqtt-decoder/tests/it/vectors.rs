//! The public test cases of the existing tools, run through the whole decoder.

use crate::traces::Trace;
use serde_json::{Value, json};
use sqtt_decoder::payload::{AddressBlock, Lane};
use sqtt_decoder::stream::{EventKind, normalised};
use sqtt_decoder::{Filter, RemarkKind};
use sqtt_format::{AddressKind, WaveSize};

fn vectors(name: &str) -> Value {
    let path = test_data::find(&format!("vectors/{name}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// `time, value` of all records of the only slot, normalised and corrected.
fn corrected(trace: &Trace) -> Vec<(i64, u32)> {
    let folder = trace.load();
    let mut records = Vec::new();
    folder.decode(&Filter::default(), |wave, _| {
        records.extend(normalised(wave).map(|record| (record.time, record.value)));
    });
    records
}

#[test]
#[ignore = "it reads the shared test data"]
fn clock_correction() {
    let vectors = vectors("clock_correction");
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let mut trace = Trace::new();
        trace.names = json!({"0": "0 / 0x0", "7": "7 / 0x1000", "8": "8 / 0x1000"});
        trace.code = case["doc"].clone();
        for wave in case["occ"].as_array().unwrap() {
            let row = json!([wave["time"], 1, wave["simd"], 3, wave["start"], wave["co"]]);
            trace.wave(0, row);
        }
        for record in case["rec"].as_array().unwrap() {
            trace.row(0, json!([record[0], record[1], 1, record[3], 3, record[2]]));
        }
        let number = |value: &Value| value.as_i64().unwrap();
        let out = case["out"].as_array().unwrap().iter();
        let expected: Vec<_> = out.map(|row| (number(&row[0]), number(&row[1]) as u32)).collect();
        assert_eq!(corrected(&trace), expected, "{}", case["name"]);
    }
}

/// The lines that the in-tree decoder prints.
fn lines(trace: &Trace) -> Vec<String> {
    let folder = trace.load();
    let mut lines = Vec::new();
    folder.decode(&Filter::default(), |_, stream| {
        while let Some(event) = stream.next() {
            let text = |entry: &sqtt_format::Entry| {
                let letter = char::from(entry.kind().prefix());
                format!("{letter}:{}", String::from_utf8_lossy(entry.name()))
            };
            if let Some(closed) = event.closed {
                lines.push(format!("exit {}", text(closed.entry.unwrap())));
            }
            let Some(entry) = event.entry else { continue };
            match event.kind {
                EventKind::Enter | EventKind::ExitEnter => lines.push(format!("enter {}", text(entry))),
                EventKind::Point => lines.push(format!("point {}", text(entry))),
                _ => {}
            }
            let count = event.payload.len();
            for (index, word) in event.payload.iter().enumerate() {
                lines.push(format!("payload {}[{}/{count}]={word:#010x}", text(entry), index + 1));
            }
        }
    });
    lines
}

#[test]
#[ignore = "it reads the shared test data"]
fn decode_values() {
    let vectors = vectors("decode_values");
    let map = test_data::find(vectors["funcmap"].as_str().unwrap());
    let mut trace = Trace::of_one_wave(&String::from_utf8(std::fs::read(map).unwrap()).unwrap());
    let values = vectors["values"].as_array().unwrap().iter();
    let values: Vec<u32> = values.map(|value| value.as_u64().unwrap() as u32).collect();
    trace.words(&values);
    let expected: Vec<String> = serde_json::from_value(vectors["lines"].clone()).unwrap();
    assert_eq!(lines(&trace), expected);
}

#[test]
#[ignore = "it reads the shared test data"]
fn payload_counts() {
    let vectors = vectors("payload_counts");
    for wave in WaveSize::ALL {
        let counts = &vectors[format!("wave{}", wave.lanes())];
        for kind in AddressKind::ALL {
            let name = kind.name().strip_prefix(AddressKind::PREFIX).unwrap();
            let group = match name {
                "load" | "store" | "atomic" => "load/store/atomic",
                name if name.starts_with("lds_") => "lds_*",
                name if name.starts_with("ds_") => "ds_(b)permute",
                name if name.starts_with("struct_buffer_") => "struct_buffer_*",
                _ => "buffer_*",
            };
            let count = counts[group].as_u64().unwrap();
            // A stream takes off exactly that many words: the marker behind them is found.
            let mut trace = Trace::of_one_wave(&format!(
                "P:60:{}\nR:60:extra_payload_count={count}\nU:61:after\n",
                kind.name()
            ));
            let mut words = vec![60 << 2, 1, 0];
            words.extend((2..count).map(|word| word as u32 * 0x1111));
            words.extend([61 << 2 | 2, 1]);
            trace.words(&words);
            let folder = trace.load();
            let mut seen = Vec::new();
            let ledger = folder.decode(&Filter::default(), |_, stream| {
                while let Some(event) = stream.next() {
                    if let Some(entry) = event.entry.filter(|_| event.kind == EventKind::Point) {
                        let block = AddressBlock::new(entry, event.payload).unwrap();
                        assert_eq!((block.kind, block.wave_size), (kind, wave));
                        assert_eq!(block.active_lanes().count(), 1);
                    }
                    seen.push((event.kind, event.payload.len() as u64));
                }
            });
            let expected = [(EventKind::Point, count), (EventKind::Enter, 0), (EventKind::Exit, 0)];
            assert_eq!(seen, expected, "{}", kind.name());
            assert!(ledger.is_empty(), "{ledger}");
        }
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn address_blocks() {
    let vectors = vectors("address_blocks");
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let values = case["values"].as_array().unwrap().iter();
        let values: Vec<u32> = values.map(|value| value.as_u64().unwrap() as u32).collect();
        let map = format!("P:60:{name}\nR:60:extra_payload_count={}\n", values.len());
        let mut trace = Trace::of_one_wave(&map);
        trace.words(&[&[60 << 2], &values[..]].concat());
        let folder = trace.load();
        let mut addresses = Vec::new();
        let ledger = folder.decode(&Filter::default(), |_, stream| {
            while let Some(event) = stream.next() {
                let block = AddressBlock::new(event.entry.unwrap(), event.payload).unwrap();
                assert_eq!(block.wave_size, WaveSize::Wave32);
                addresses.extend(block.active_lanes().map(|(_, lane)| match lane {
                    Lane::Address(address) => address,
                    Lane::Structured { .. } => panic!("{name} is not structured"),
                }));
            }
        });
        let expected: Vec<u64> = serde_json::from_value(case["addresses"].clone()).unwrap();
        // The public case gives the first addresses.
        assert_eq!(addresses[..expected.len()], expected, "{name}");
        assert!(ledger.is_empty(), "{name}: {ledger}");
        assert_eq!(ledger.count(RemarkKind::TruncatedBlock), 0);
    }
}
