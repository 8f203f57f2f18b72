//! `include/sqtt_decoder.hpp`, compiled by g++ and clang++ and run on the same vectors and the same random
//! maps and words as the Rust reader (Debian: g++, clang-22).

use crate::common;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sqtt_decoder::codeobj::{Binary, FuncmapWarning};
use sqtt_decoder::generate::Random;
use sqtt_format::{Entry, EntryKind, Funcmap, MarkerEncoding};

/// Prints all that a funcmap says and what some words mean, in the form of [`rust_report`].
const PROGRAM: &str = r#"
#include "sqtt_decoder.hpp"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <cstdlib>

static std::string hex(const std::string& text) {
    std::string out;
    char pair[3];
    for (char byte : text) { std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned char>(byte)); out += pair; }
    return out;
}
static_assert(sqtt::MarkerEncoding{12, 4}.marker_id_mask() == 0x000FFFFCu);
static_assert(sqtt::MarkerEncoding{}.marker_id_mask() == 0xFFFFFFFCu);
static_assert(sqtt::MarkerEncoding{12, 4}.shader_clock_source_mask() == 0xFFF0u);

static void print(const sqtt::Funcmap& map) {
    const auto& encoding = map.marker_encoding;
    std::printf("encoding %u %u %x %x %x\n", encoding.shader_clock_bits, encoding.shader_clock_shift,
                encoding.marker_id_mask(), encoding.packed_shader_clock_mask(), encoding.shader_clock_source_mask());
    std::printf("wave %u\n", map.wave_size);
    for (const auto& entry : map.entries)
        std::printf("entry %c %u %s %s %u\n", static_cast<char>(entry.kind), entry.id, hex(entry.name).c_str(),
                    hex(entry.source_loc).c_str(), entry.extra_payload_count);
}

// The section's file, a file of words, and files of more sections.
int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::vector<std::string> texts;
    for (int at = 1; at < argc; ++at) {
        if (at == 2) continue;
        std::ifstream file(argv[at], std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    sqtt::CodeobjMap objects;
    if (texts.size() == 1) objects.add(7, texts[0]);
    else objects.addAll(7, {texts.begin(), texts.end()});
    if (!objects.contains(7) || objects.contains(8) || objects.getFuncmap(8).find(1)) return 3;
    const auto& map = objects.getFuncmap(7);
    const auto& encoding = map.marker_encoding;
    print(map);
    for (const auto& one : map.maps) { std::printf("map\n"); print(one); }
    std::vector<std::string> kernels = {"elsewhere"};
    for (const auto& entry : map.entries) if (entry.kind == sqtt::EntryKind::kernel) kernels.push_back(entry.name);
    for (const auto& kernel : kernels) {
        const auto* own = map.for_kernel(kernel);
        std::printf("kernel %s %d\n", hex(kernel).c_str(), own != nullptr);
        if (own) {
            print(*own);
            for (const auto& [id, entry] : std::map<unsigned, int>{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {7, 0}, {12, 0}}) {
                const auto* found = own->find(id + static_cast<unsigned>(entry));
                std::printf("id %u %s %u\n", id, found ? hex(found->name).c_str() : "-", own->payload_count(id));
            }
        }
    }
    std::ifstream words(argv[2]);
    for (std::uint32_t word; words >> word;) {
        const auto marker = objects.decodeMarkerValue(7, word);
        const auto direct = sqtt::decode_marker_value(word, encoding);
        const auto* entry = map.find(marker.id);
        std::printf("word %u: %s %u %d %d %d %u %u; %u\n", word, entry ? hex(entry->name).c_str() : "-", marker.id, marker.enter, marker.exit_prev,
                    marker.has_shader_clock, marker.has_shader_clock ? encoding.decode_shader_clock(word) : 0,
                    map.payload_count(marker.id), direct.id);
    }
    std::printf("diagnostics %zu\n", map.diagnostics.size());
    for (const auto& diagnostic : map.diagnostics) std::printf("%s\n", hex(diagnostic.message.substr(0, 12)).c_str());
}
"#;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn print(out: &mut String, map: &Funcmap) {
    let encoding = map.marker_encoding();
    let MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift } = encoding;
    let (id, packed) = (encoding.marker_id_mask(), encoding.packed_shader_clock_mask());
    writeln!(out, "encoding {bits} {shift} {id:x} {packed:x} {:x}", encoding.shader_clock_source_mask())
        .unwrap();
    writeln!(out, "wave {}", map.wave_size().unwrap_or_default()).unwrap();
    for entry in map.entries() {
        let letter = char::from(entry.kind().prefix());
        let location = hex(entry.source_loc().unwrap_or_default());
        let (id, name) = (entry.id().unwrap_or_default(), hex(entry.name()));
        writeln!(out, "entry {letter} {id} {name} {location} {}", entry.extra_payload_count()).unwrap();
    }
}

/// Name and payload of an id, `-` for none.
fn named(map: &Funcmap, id: u32) -> (String, u32) {
    (map.find(id).map_or("-".to_owned(), |entry| hex(entry.name())), map.payload_count(id))
}

fn rust_report(sections: &[&[u8]], words: &[u32]) -> String {
    let read = Funcmap::parse_all(sections.iter().copied());
    let map = &read.map;
    let mut out = String::new();
    print(&mut out, map);
    for map in &read.maps {
        out += "map\n";
        print(&mut out, map);
    }
    // As a code object has it: a section of nothing has no map, and the header an empty one.
    let joined = sections.iter().flat_map(|section| [section, &b"\0"[..]].concat()).collect::<Vec<u8>>();
    let binary = Binary::from_bytes("map", sqtt_decoder::generate::code_object(&joined));
    let object = binary.contents().code_objects[0].funcmap().unwrap();
    let lookup = |kernel: &[u8]| {
        if read.maps.is_empty() {
            Some(map.clone())
        } else {
            object.lookup_map(kernel).map(|lookup| lookup.map)
        }
    };
    let kernels = map.entries().iter().filter(|entry| entry.kind() == EntryKind::Kernel).map(Entry::name);
    for kernel in std::iter::once(&b"elsewhere"[..]).chain(kernels) {
        let own = lookup(kernel);
        writeln!(out, "kernel {} {}", hex(kernel), u8::from(own.is_some())).unwrap();
        let Some(own) = own else { continue };
        print(&mut out, &own);
        for id in [0, 1, 2, 3, 7, 12] {
            let (name, payload) = named(&own, id);
            writeln!(out, "id {id} {name} {payload}").unwrap();
        }
    }
    let shared = object.lookup_maps().first().map(|lookup| lookup.shared.clone()).unwrap_or_default();
    for &word in words {
        let decoded = map.decode(word);
        let marker = decoded.marker;
        let (mut name, mut payload) = named(map, marker.id);
        if shared.contains(&marker.id) {
            // No guess where several maps differ: the payload on which all rows agree.
            name = "-".to_owned();
            let of = |map: &Funcmap| {
                let entries = map.entries().iter().filter(|entry| entry.id() == Some(marker.id));
                entries.map(Entry::extra_payload_count).collect::<Vec<u32>>()
            };
            let counts: BTreeSet<u32> = read.maps.iter().flat_map(of).collect();
            payload = if counts.len() == 1 { counts.into_iter().next().unwrap() } else { 0 };
        }
        writeln!(
            out,
            "word {word}: {name} {} {} {} {} {} {payload}; {}",
            marker.id,
            u8::from(marker.enter),
            u8::from(marker.exit),
            u8::from(decoded.shader_clock.is_some()),
            decoded.shader_clock.unwrap_or_default(),
            map.marker_encoding().decode(word).id
        )
        .unwrap();
    }
    let several =
        object.warnings.iter().filter(|warning| matches!(warning, FuncmapWarning::SharedIds(_))).count();
    assert_eq!(several > 0, !shared.is_empty());
    writeln!(out, "diagnostics {}", read.warnings.len() + several).unwrap();
    out
}

/// The program, by each compiler.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let source = folder.join("report.cpp");
    std::fs::write(&source, PROGRAM).unwrap();
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include");
    let compilers = [PathBuf::from("g++"), Path::new(common::LLVM).join("clang++")];
    let compile = |(index, compiler): (usize, &PathBuf)| {
        let program = folder.join(format!("report{index}"));
        let output = Command::new(compiler)
            .args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-O1"])
            .args(["-fsanitize=undefined", "-fno-sanitize-recover=all", "-I", include, "-o"])
            .args([&program, &source])
            .output()
            .unwrap_or_else(|error| {
                panic!("{}: {error} (g++ and clang-22 must be installed)", compiler.display())
            });
        assert!(
            output.status.success(),
            "{}: {}",
            compiler.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        program
    };
    compilers.iter().enumerate().map(compile).collect()
}

fn agree(folder: &Path, programs: &[PathBuf], sections: &[&[u8]], words: &[u32]) {
    let word_file = folder.join("words");
    let mut files = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        files.push(folder.join(format!("map{index}")));
        std::fs::write(&files[index], section).unwrap();
    }
    files.insert(1, word_file.clone());
    std::fs::write(&word_file, words.iter().map(|word| format!("{word}\n")).collect::<String>()).unwrap();
    let expected = rust_report(sections, words);
    for program in programs {
        let output = Command::new(program).args(&files).output().unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            program.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).unwrap();
        let shown: Vec<_> = sections.iter().map(|section| section.escape_ascii().to_string()).collect();
        assert!(text.starts_with(&expected), "{shown:?}:\n{text}\n{expected}");
    }
}

/// Words of every kind.
const WORDS: [u32; 13] = [0, 1, 2, 3, 6, 11, 12, 16, 42, 0x1230_0006, 0x1230_0001, 0x1230_0026, u32::MAX];

#[test]
#[ignore = "it reads the shared test data"]
fn both_readers_say_the_same_of_vectors_and_existing_maps() {
    let vectors = test_data::find("vectors/funcmap_parser.json");
    let maps = test_data::find("funcmaps");
    let folder = tempfile::tempdir().unwrap();
    let programs = programs(folder.path());
    let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(vectors).unwrap()).unwrap();
    for case in vectors["cases"].as_array().unwrap() {
        agree(folder.path(), &programs, &[case["blob"].as_str().unwrap().as_bytes()], &WORDS);
    }
    for map in std::fs::read_dir(maps).unwrap() {
        agree(folder.path(), &programs, &[&std::fs::read(map.unwrap().path()).unwrap()], &WORDS);
    }
}

#[test]
fn both_readers_say_the_same_of_hostile_maps() {
    let folder = tempfile::tempdir().unwrap();
    let programs = programs(folder.path());
    let maps: [&[u8]; 3] = [
        b"U:1:%:a%0AU:9:forged@%:x%40\nP:2:%:bad%4\nP:3:%:\nK:k@a@b\nK:\nF::x\nF:4294967296:x\n",
        b"M:shader_clock_bits=12;shader_clock_shift=4\nU:1:a\nM:shader_clock_bits=30;shader_clock_shift=0\n",
        b"M:future=1\nM:shader_clock_shift=33\nM:shader_clock_bits=x\nW:48\nW:\nR:1\nR:9:extra_payload_count=2\n",
    ];
    for map in maps {
        agree(folder.path(), &programs, &[map], &WORDS);
    }
    let mut random = Random::new(7);
    let pieces: [&[u8]; 18] = [
        b"U:",
        b"P:",
        b"F:",
        b"K:",
        b"R:",
        b"M:",
        b"W:",
        b"1",
        b"2",
        b":",
        b"name",
        b"@",
        b"\n",
        b"\0",
        b"%:%0A",
        b"extra_payload_count=",
        b"shader_clock_bits=12;shader_clock_shift=4",
        b"\xFF\r",
    ];
    for _ in 0..60 {
        let count = random.below(60);
        let map = (0..count).flat_map(|_| pieces[random.below(18) as usize].to_vec()).collect::<Vec<u8>>();
        let words: Vec<u32> = (0..20).map(|_| (random.bits() & 0xFFF0_001F) as u32).collect();
        agree(folder.path(), &programs, &[&map], &words);
    }
}

#[test]
fn both_readers_say_the_same_of_several_units() {
    let folder = tempfile::tempdir().unwrap();
    let programs = programs(folder.path());
    let packed = &b"M:shader_clock_bits=12;shader_clock_shift=4\nK:p\nU:1:packed\n\0"[..];
    let (a, b) =
        (&b"W:32\nK:a\nK:t\nU:1:x\nP:2:y\nR:2:extra_payload_count=1\n\0"[..], &b"K:b\nK:t\nU:1:z\n\0"[..]);
    let functions = &b"F:1:f\nF:3:g\nF:12:one\n\0F:12:two\nF:7:h\n\0"[..];
    let high =
        &b"K:h\nU:1073741823:high\nF:1073741822:_Z1tv\n\0K:i\nU:715915265:other\nF:1073741822:_Z1tv\n\0"[..];
    for sections in [
        &[a, b][..],
        &[b, a, functions],
        &[a, packed, b],
        &[packed, functions],
        &[functions],
        &[high],
        &[high, a],
        &[high, a, b, functions, packed],
        &[b"K:cut\nU:1:x", b"", b"U:1:y"],
        &[b"K:A\nF:1:f\nK:B\nF:1:g\n"],
        &[b"K:t\nU:1:x\nU:1:y\n\0K:t\nU:1:x\n\0", b"K:t\nU:2:z\n"],
    ] {
        agree(folder.path(), &programs, sections, &WORDS);
    }
    let mut random = Random::new(11);
    let rows: [&[u8]; 14] = [
        b"K:a",
        b"K:b",
        b"K:c",
        b"U:1:x",
        b"U:1:y",
        b"P:2:p",
        b"R:2:extra_payload_count=1",
        b"F:3:f",
        b"F:3:g",
        b"U:7:seven",
        b"F:12:t",
        b"W:64",
        b"M:shader_clock_bits=12;shader_clock_shift=4",
        b"R:9:extra_payload_count=2",
    ];
    for _ in 0..crate::setting("FUZZ_ROUNDS", 150) {
        let count = 2 + random.below(5);
        let mut section = || -> Vec<u8> {
            let mut bytes = Vec::new();
            for _ in 0..random.below(9) {
                bytes.extend_from_slice(rows[random.below(14) as usize]);
                bytes.push(if random.below(5) == 0 { 0 } else { b'\n' });
            }
            bytes
        };
        let sections: Vec<Vec<u8>> = (0..count).map(|_| section()).collect();
        let sections: Vec<&[u8]> = sections.iter().map(Vec::as_slice).collect();
        agree(folder.path(), &programs, &sections, &WORDS);
    }
}

#[test]
#[ignore = "it reads the shared test data"]
fn diagnostics_of_the_parser_vectors() {
    let vectors = test_data::find("vectors/funcmap_parser.json");
    let folder = tempfile::tempdir().unwrap();
    let programs = programs(folder.path());
    let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(vectors).unwrap()).unwrap();
    let (map_file, word_file) = (folder.path().join("map"), folder.path().join("words"));
    std::fs::write(&word_file, "").unwrap();
    for case in vectors["cases"].as_array().unwrap() {
        std::fs::write(&map_file, case["blob"].as_str().unwrap()).unwrap();
        for program in &programs {
            let output = Command::new(program).args([&map_file, &word_file]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            for warning in case["warn"].as_array().into_iter().flatten() {
                let start: String =
                    warning.as_str().unwrap().bytes().take(12).map(|byte| format!("{byte:02x}")).collect();
                assert!(text.contains(&start), "{warning}: {text}");
            }
            if let Some(count) = case["diags"].as_u64() {
                assert!(text.contains(&format!("diagnostics {count}\n")), "{text}");
            }
        }
    }
}
