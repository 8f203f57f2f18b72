//! The public test cases of the existing tools, and maps as existing compilers write them.

use serde_json::Value;
use sqtt_format::{Action, AddressKind, DATA_PAYLOAD_COUNT, EntryKind, Funcmap, Parsed, WaveSize};

/// A JSON file of the test data.
fn json(name: &str) -> Value {
    let text = std::fs::read_to_string(test_data::find(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn letter(kind: EntryKind) -> String {
    char::from(kind.prefix()).to_string()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

/// One expectation of one parser case. A key that is not known here is a failure, not a pass.
fn check_parser_case(read: &Parsed, key: &str, expected: &Value) {
    let Parsed { map, warnings, .. } = read;
    let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    match key {
        "blob" => {}
        "entries" => assert_eq!(map.entries().len() as u64, expected.as_u64().unwrap()),
        "wave_size" => assert_eq!(map.wave_size().unwrap_or(0), number(expected)),
        "diags" => assert_eq!(warnings.len() as u64, expected.as_u64().unwrap(), "{said:?}"),
        "min_diags" => assert!(warnings.len() as u64 >= expected.as_u64().unwrap(), "{said:?}"),
        "warn" => {
            for text in expected.as_array().unwrap() {
                assert!(said.iter().any(|line| line.contains(text.as_str().unwrap())), "{text} in {said:?}");
            }
        }
        "clock" => {
            assert_eq!(map.marker_encoding().shader_clock_bits, number(&expected[0]));
            assert_eq!(map.marker_encoding().shader_clock_shift, number(&expected[1]));
        }
        "payload" => {
            for (id, count) in expected.as_object().unwrap() {
                assert_eq!(map.payload_count(id.parse().unwrap()), number(count));
            }
        }
        "find" => {
            for (id, row) in expected.as_object().unwrap() {
                let entry = map.find(id.parse().unwrap()).unwrap();
                assert_eq!(letter(entry.kind()), row[0]);
                assert_eq!(entry.name(), row[1].as_str().unwrap().as_bytes());
                assert_eq!(entry.source_loc().unwrap_or(b""), row[2].as_str().unwrap().as_bytes());
            }
        }
        "found" => {
            for id in expected.as_array().unwrap() {
                assert!(map.find(number(id)).is_some(), "{id}");
            }
        }
        "not_found" => {
            for id in expected.as_array().unwrap() {
                assert!(map.find(number(id)).is_none(), "{id}");
            }
        }
        "line_2_mentions" => {
            let text = expected.as_str().unwrap();
            assert!(warnings.iter().any(|w| w.line == 2 && w.row == text.as_bytes()), "{said:?}");
            assert!(said.iter().any(|line| line.starts_with("line 2:") && line.contains(text)), "{said:?}");
        }
        other => panic!("an expectation that this test does not know: {other}"),
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn funcmap_parser_cases() {
    let vectors = json("vectors/funcmap_parser.json");
    let cases = vectors["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let case = case.as_object().unwrap();
        let read = Funcmap::parse(case["blob"].as_str().unwrap().as_bytes());
        for (key, expected) in case {
            check_parser_case(&read, key, expected);
        }
    }
}

/// The meaning of the marker words of one wave, by the rules of the specification alone: a scope stack and
/// payloads that belong to the header before them.
fn describe(map: &Funcmap, words: &[u32]) -> Vec<String> {
    let label = |id: u32| {
        let entry = map.find(id).unwrap();
        format!("{}:{}", letter(entry.kind()), String::from_utf8_lossy(entry.name()))
    };
    let mut lines = Vec::new();
    let mut open = Vec::new();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let marker = map.decode(word).marker;
        let action = marker.action();
        if matches!(action, Action::Exit | Action::ExitEnter) {
            lines.push(format!("exit {}", label(open.pop().unwrap())));
        }
        match action {
            Action::Enter | Action::ExitEnter => {
                lines.push(format!("enter {}", label(marker.id)));
                open.push(marker.id);
            }
            Action::Point => lines.push(format!("point {}", label(marker.id))),
            Action::Exit | Action::Noop => {}
        }
        let count = map.payload_count(marker.id);
        for index in 1..=count {
            let payload = words.next().unwrap();
            lines.push(format!("payload {}[{index}/{count}]={payload:#010x}", label(marker.id)));
        }
    }
    assert!(open.is_empty());
    lines
}

#[test]
#[ignore = "it reads the shared test data"]
fn decode_values() {
    let vector = json("vectors/decode_values.json");
    let path = test_data::find(vector["funcmap"].as_str().unwrap());
    let read = Funcmap::parse(&std::fs::read(path).unwrap());
    assert_eq!(read.warnings, []);
    let words: Vec<u32> = vector["values"].as_array().unwrap().iter().map(number).collect();
    let expected: Vec<&str> =
        vector["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(describe(&read.map, &words), expected);
}

#[test]
#[ignore = "it reads the shared test data"]
fn payload_counts() {
    let vector = json("vectors/payload_counts.json");
    assert_eq!(number(&vector["named data marker"]), DATA_PAYLOAD_COUNT);
    for (key, wave) in [("wave32", WaveSize::Wave32), ("wave64", WaveSize::Wave64)] {
        let counts = vector[key].as_object().unwrap();
        for kind in AddressKind::ALL {
            let group = match kind.name().strip_prefix(AddressKind::PREFIX).unwrap() {
                "load" | "store" | "atomic" => "load/store/atomic",
                name if name.starts_with("lds_") => "lds_*",
                name if name.starts_with("ds_") => "ds_(b)permute",
                name if name.starts_with("buffer_") => "buffer_*",
                name if name.starts_with("struct_buffer_") => "struct_buffer_*",
                name => panic!("{name}"),
            };
            assert_eq!(kind.payload_count(wave), number(&counts[group]), "{kind:?} {key}");
            assert_eq!(kind.layout().wave_size(kind.payload_count(wave)), Some(wave));
            assert_eq!(AddressKind::from_name(kind.name().as_bytes()), Some(kind));
        }
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn maps_of_existing_compilers() {
    let folder = test_data::find("funcmaps");
    let mut names = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let section = std::fs::read(&path).unwrap();
        let Parsed { map, maps, warnings, .. } = Funcmap::parse(&section);
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(maps.is_empty(), name != "tensile_two_kernels_linked.map", "{name}");
        // What our writer makes of the map is what the compiler wrote, where the writer takes it.
        let written = map.to_bytes();
        match name.as_str() {
            "automatic_gfx1200.map" | "user_markers_gfx1200.map" => {
                assert_eq!(warnings, [], "{name}");
                assert_eq!(written.unwrap(), section, "{name}");
            }
            "codegen_legacy.map" => {
                assert_eq!(warnings, [], "{name}");
                assert_eq!(written.unwrap(), [&section[..], b"\0"].concat(), "{name}");
            }
            "codegen_packed.map" => {
                assert_eq!(warnings, [], "{name}");
                assert_eq!(map.marker_encoding().shader_clock_bits, 12);
                assert_eq!(map.find(7).unwrap().source_loc(), Some(&b"source.cpp:1"[..]));
                assert_eq!(map.payload_count(8), 1);
                // A clock and a payload in one map: read, but never written.
                assert!(written.is_err());
            }
            "tensile_two_kernels_linked.map" => {
                let kernels: Vec<_> =
                    map.entries().iter().filter(|entry| entry.kind() == EntryKind::Kernel).collect();
                assert_eq!([kernels[0].name(), kernels[1].name()], [b"KernelA", b"KernelB"]);
                assert_eq!((map.entries().len(), map.wave_size()), (6, Some(32)));
                assert_eq!(warnings, [], "{name}");
                let second = |map: &Funcmap| String::from_utf8(map.find(2).unwrap().name().to_vec()).unwrap();
                assert_eq!(maps.iter().map(second).collect::<Vec<_>>(), ["cb_signal", "cb_wait"]);
                assert!(maps.iter().all(|map| map.wave_size() == Some(32) && map.entries().len() == 3));
                // Each is what its compiler wrote; the writer puts the wave size elsewhere.
                let parts: Vec<&[u8]> = section.split_inclusive(|&byte| byte == 0).collect();
                assert_eq!(parts.len(), 2);
                for (map, part) in maps.iter().zip(parts) {
                    assert_eq!(map, &Funcmap::parse(part).map);
                }
            }
            other => panic!("a map that this test does not know: {other}"),
        }
        names.push(name);
    }
    assert_eq!(names.len(), 5);
}
