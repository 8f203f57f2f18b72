//! The order of the plugin's source: no room imports one that imports it, and records are written in one file.

use crate::plugins::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The sources of the plugin without their comments, by path.
fn sources() -> BTreeMap<PathBuf, String> {
    let mut open = vec![root().join("src")];
    let mut sources = BTreeMap::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()),
            );
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source");
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        sources.insert(path.strip_prefix(root()).expect("a path of src").to_owned(), code.join("\n"));
    }
    assert!(sources.len() > 40, "{}", sources.len());
    sources
}

/// The room of `src/mark/fuse.rs` is `mark`, that of `src/target.rs` is `target`.
fn room(path: &Path) -> String {
    let first = path.iter().nth(1).expect("a path of src").to_string_lossy();
    first.strip_suffix(".rs").unwrap_or(&first).to_owned()
}

#[test]
fn no_room_imports_one_that_imports_it() {
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, code) in sources() {
        let room = room(&path);
        let names = code.split("crate::").skip(1).filter_map(|rest| rest.split([':', ';', ' ', ',']).next());
        let others = names.filter(|name| *name != room).map(str::to_owned);
        imports.entry(room.clone()).or_default().extend(others);
    }
    // Rooms that import nothing but what is gone go, until no room is left or all are in circles.
    loop {
        let before = imports.len();
        let rooms: BTreeSet<String> = imports.keys().cloned().collect();
        imports.retain(|_, imports| imports.iter().any(|room| rooms.contains(room)));
        if imports.len() == before {
            break;
        }
    }
    assert!(imports.is_empty(), "rooms in circles, or behind one: {imports:?}");
}

#[test]
fn one_file_writes_the_instruction() {
    let has = |code: &str| code.contains("\"s_ttracedata");
    let files: Vec<PathBuf> =
        sources().into_iter().filter(|(_, code)| has(code)).map(|(path, _)| path).collect();
    // The second one looks for it in asm that others wrote.
    assert_eq!(files, ["src/emit/records.rs", "src/sites/numeric.rs"].map(PathBuf::from));
}
