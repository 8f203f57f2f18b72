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
    ["/main.rs", "/build.rs", "/tests/", "/examples/", "/benches/"].iter().any(|part| name.contains(part))
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

/// True if a text begins with one of the words, maybe in quotes, brackets or bold type.
fn begins_with(text: &str, words: &[&str]) -> bool {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    words.iter().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric()))
    })
}

/// Headings may ask.
#[test]
fn doc_comments_name_their_subject_first() {
    let words = ["What", "Whether", "Where", "Which", "How", "Of", "That", "Those", "The same", "As"];
    let mut found = Vec::new();
    for (name, text) in ["src", "crates", "xtask", "tests"].into_iter().flat_map(files) {
        let mut is_first = true;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start();
            let doc = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            let is_found = |doc: &str| !doc.starts_with(" #") && begins_with(doc, &words);
            if is_first && doc.is_some_and(is_found) {
                found.push(format!("{name}:{}: {line}", index + 1));
            }
            is_first = doc.is_none_or(|doc| doc.trim().is_empty());
        }
    }
    assert!(found.is_empty(), "doc comments that begin with a question word:\n{}", found.join("\n"));
}

/// Headings may ask, and so may the first row of a table.
#[test]
fn sentences_of_the_documentation_begin_with_no_question_word() {
    let pages = ["", "docs"].into_iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let pages = pages.map(|entry| entry.unwrap().path());
    let pages: Vec<_> = pages.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    assert!(pages.len() > 5, "{pages:?}");
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let page = page.strip_prefix(root()).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let (mut is_code, mut is_start) = (false, true);
        for (index, line) in lines.iter().enumerate() {
            is_code ^= line.starts_with("```");
            let is_head = lines.get(index + 1).is_some_and(|next| next.starts_with("|--"));
            if is_code || is_head || line.is_empty() || line.starts_with('#') || line.starts_with("```") {
                is_start = true;
                continue;
            }
            let mut line = line.replace("**", "");
            for end in [". ", "? ", "! ", "| "] {
                line = line.replace(end, "\n");
            }
            let is_item = line.starts_with(['-', '*', '\n']);
            let sentences = line.split('\n').skip(usize::from(!is_start && !is_item));
            let asks = |sentence: &str| begins_with(sentence, &["What", "Which", "Whether"]);
            found.extend(
                sentences
                    .filter(|sentence| asks(sentence))
                    .map(|sentence| format!("{}:{}: {sentence}", page.display(), index + 1)),
            );
            is_start = line.ends_with(['.', '?', '!', '|']);
        }
    }
    assert!(found.is_empty(), "sentences that begin with a question word:\n{}", found.join("\n"));
}
