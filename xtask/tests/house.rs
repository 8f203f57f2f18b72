//! Rules of ARCHITECTURE.md that the text of the sources shows.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The Rust files below a folder.
fn files(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(found.len() > 5, "{folder}");
    found
}

/// The Rust files below a folder, with the lines that are no comments.
fn sources(folder: &str) -> Vec<(String, Vec<String>)> {
    let code = |text: String| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.map(str::to_owned).collect()
    };
    files(folder).into_iter().map(|(name, text)| (name, code(text))).collect()
}

/// The files of a folder that have a line with `text`, but for those that `may`.
fn with(folder: &str, text: &str, may: impl Fn(&str) -> bool) -> Vec<String> {
    let has = |lines: &[String]| lines.iter().any(|line| line.contains(text));
    sources(folder)
        .into_iter()
        .filter(|(name, lines)| !may(name) && has(lines))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn one_file_writes_trace_instructions() {
    // The other one looks for those of the program.
    let may = |name: &str| matches!(name, "src/emit/records.rs" | "src/sites/numeric.rs");
    assert_eq!(with("src", "\"s_ttracedata", may), [""; 0]);
}

#[test]
fn readers_import_no_writer() {
    let decoder = "crates/sqtt-decoder/src";
    let may = |name: &str| {
        ["write", "generate", "raw/tests"].iter().any(|own| name.starts_with(&format!("{decoder}/{own}/")))
    };
    assert_eq!(with(decoder, "crate::write", may), [""; 0]);
    assert_eq!(with(decoder, "generate::", may), [""; 0]);
}

#[test]
fn libraries_print_nothing() {
    // The files of programs.
    let may = |name: &str| name.starts_with("crates/sqtt-cli/") || is_program(name);
    for text in ["print!(", "println!("] {
        assert_eq!(with("crates", text, may), [""; 0], "{text}");
    }
}

fn is_program(name: &str) -> bool {
    ["/main.rs", "/build.rs", "/tests/", "/examples/"].iter().any(|part| name.contains(part))
}

/// Drawings have one of these texts; trace folders alone are written to a writer.
#[test]
fn the_decoder_draws_nothing() {
    let decoder = "crates/sqtt-decoder/src";
    assert_eq!(with(decoder, "<svg", |_| false), [""; 0]);
    let may = |name: &str| name.starts_with(&format!("{decoder}/write/"));
    for text in ["dyn Write", "impl Write"] {
        assert_eq!(with(decoder, text, may), [""; 0], "{text}");
    }
}

#[test]
fn numbers_and_texts_of_json_stand_in_its_readers_and_writers() {
    let decoder = "crates/sqtt-decoder/src";
    let may = |name: &str| name.ends_with("trace/occupancy.rs") || name.ends_with("write/tables.rs");
    for text in ["\" / 0x", "0 / 0x0"] {
        assert_eq!(with(decoder, text, may), [""; 0], "{text}");
    }
}

/// Imports of the rooms of the pass (folders, and files beside them) from each other.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, lines) in sources("src") {
        let below = name.trim_start_matches("src/");
        let room = below.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        let parts = lines.iter().flat_map(|line| line.split("crate::").skip(1));
        let named = parts.map(|part| {
            part.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap()
        });
        let others = named.filter(|other| *other != room).map(str::to_owned);
        imports.entry(room.clone()).or_default().extend(others);
    }
    imports
}

#[test]
fn rooms_of_the_pass_import_in_no_circle() {
    let mut left = imports();
    assert!(left.len() > 8 && left["phases"].contains("mark"), "{left:?}");
    // Rooms that import none that is left are taken away, until a circle remains or none.
    loop {
        let rooms: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, others| !others.is_disjoint(&rooms));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "a circle: {left:?}");
}

#[test]
fn a_crate_has_one_program_of_tests() {
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let tests = folder.unwrap().path().join("tests");
        let Ok(entries) = fs::read_dir(&tests) else { continue };
        let paths = entries.map(|entry| entry.unwrap().path());
        let is_program =
            |path: &PathBuf| path.join("main.rs").is_file() || path.extension().is_some_and(|e| e == "rs");
        assert_eq!(paths.filter(is_program).count(), 1, "{}", tests.display());
    }
}
