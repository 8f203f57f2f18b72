//! `include/sqtt_decoder.hpp`, compiled by g++ and clang++ and run on the same vectors and the same random
//! maps and words as the Rust reader (Debian: g++, clang-22).

use crate::common;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sqtt_decoder::generate::Random;
use sqtt_format::{Funcmap, MarkerEncoding};

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

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    std::ifstream file(argv[1], std::ios::binary);
    const std::string section((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    sqtt::CodeobjMap objects;
    objects.add(7, section);
    if (!objects.contains(7) || objects.contains(8) || objects.getFuncmap(8).find(1)) return 3;
    const auto& map = objects.getFuncmap(7);
    const auto& encoding = map.marker_encoding;
    std::printf("encoding %u %u %x %x %x\n", encoding.shader_clock_bits, encoding.shader_clock_shift,
                encoding.marker_id_mask(), encoding.packed_shader_clock_mask(), encoding.shader_clock_source_mask());
    std::printf("wave %u\n", map.wave_size);
    for (const auto& entry : map.entries)
        std::printf("entry %c %u %s %s %u\n", static_cast<char>(entry.kind), entry.id, hex(entry.name).c_str(),
                    hex(entry.source_loc).c_str(), entry.extra_payload_count);
    std::ifstream words(argv[2]);
    for (std::uint32_t word; words >> word;) {
        const auto marker = objects.decodeMarkerValue(7, word);
        const auto direct = sqtt::decode_marker_value(word, encoding);
        std::printf("word %u: %u %d %d %d %u %u; %u\n", word, marker.id, marker.enter, marker.exit_prev,
                    marker.has_shader_clock, marker.has_shader_clock ? encoding.decode_shader_clock(word) : 0,
                    map.payload_count(marker.id), direct.id);
    }
    std::printf("diagnostics %zu\n", map.diagnostics.size());
    for (const auto& diagnostic : map.diagnostics) std::printf("%s\n", hex(diagnostic.message.substr(0, 12)).c_str());
}
"#;

fn rust_report(section: &[u8], words: &[u32]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    let read = Funcmap::parse(section);
    let map = &read.map;
    let encoding = map.marker_encoding();
    let mut out = String::new();
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
    for &word in words {
        let decoded = map.decode(word);
        let marker = decoded.marker;
        writeln!(
            out,
            "word {word}: {} {} {} {} {} {}; {}",
            marker.id,
            u8::from(marker.enter),
            u8::from(marker.exit),
            u8::from(decoded.shader_clock.is_some()),
            decoded.shader_clock.unwrap_or_default(),
            map.payload_count(marker.id),
            encoding.decode(word).id
        )
        .unwrap();
    }
    // The header has one id space for all maps of a section, and complains of every id that comes again.
    let mut seen = std::collections::HashSet::new();
    let again = |map: &Funcmap, seen: &mut std::collections::HashSet<u32>| {
        map.entries().iter().filter_map(sqtt_format::Entry::id).filter(|id| !seen.insert(*id)).count()
    };
    let in_all = again(map, &mut seen);
    let in_each: usize = match &read.maps[..] {
        [] => in_all,
        maps => maps.iter().map(|map| again(map, &mut std::collections::HashSet::new())).sum(),
    };
    writeln!(out, "diagnostics {}", read.warnings.len() + in_all - in_each).unwrap();
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

fn agree(folder: &Path, programs: &[PathBuf], section: &[u8], words: &[u32]) {
    let (map_file, word_file) = (folder.join("map"), folder.join("words"));
    std::fs::write(&map_file, section).unwrap();
    std::fs::write(&word_file, words.iter().map(|word| format!("{word}\n")).collect::<String>()).unwrap();
    let expected = rust_report(section, words);
    for program in programs {
        let output = Command::new(program).args([&map_file, &word_file]).output().unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            program.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(&expected), "{}:\n{text}\n{expected}", section.escape_ascii());
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
        agree(folder.path(), &programs, case["blob"].as_str().unwrap().as_bytes(), &WORDS);
    }
    for map in std::fs::read_dir(maps).unwrap() {
        agree(folder.path(), &programs, &std::fs::read(map.unwrap().path()).unwrap(), &WORDS);
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
        agree(folder.path(), &programs, map, &WORDS);
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
        agree(folder.path(), &programs, &map, &words);
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
