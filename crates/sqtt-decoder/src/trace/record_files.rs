//! Files of a folder that hold records, in their order.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::discover::is_record_file;
use super::filenames::{FileNames, Listed, engine_number};
use super::source::{present, without_ending};
use super::store::Store;
use crate::ledger::{Ledger, RemarkKind};

/// A file with records of one shader engine.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub(super) se: u32,
    /// Below the folder.
    pub(super) name: PathBuf,
    /// The times that `filenames.json` has for it.
    pub(super) listed_times: Option<(i64, i64)>,
}

/// The record files in the order in which their records follow each other: as they are listed, or,
/// where the list cannot be had or is one of other files, by the numbers in their names.
pub(super) fn record_files(
    store: Store<'_>,
    folder: &Path,
    names: Option<&(FileNames, bool)>,
    ledger: &mut Ledger,
) -> Vec<ListedFile> {
    let mut there = present_files(store, folder, ledger);
    let Some((names, true)) = names.filter(|(names, _)| !names.shaderdata.is_empty()) else {
        return by_number(&there, folder, ledger);
    };
    let mut taken = BTreeSet::new();
    let mut files = Vec::new();
    for Listed { se, name, times } in &names.shaderdata {
        let name = inside(store, folder, name);
        if taken.insert(name.clone()) {
            files.push(ListedFile { se: *se, name, listed_times: *times });
        } else {
            let path = folder.join(name);
            let what = format!("{}: filenames.json lists it again; it is read once", path.display());
            ledger.add(RemarkKind::MalformedRow, 1, what);
        }
    }
    // Writers have changed what they call the files.
    if !there.is_empty() && files.iter().all(|file| !store.exists(&folder.join(&file.name))) {
        for ListedFile { name, .. } in files {
            let path = folder.join(name);
            let why =
                "filenames.json lists it, and it is not there; the record files that are there are read";
            ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {why}", path.display()));
        }
        return by_number(&there, folder, ledger);
    }
    there.retain(|name| !taken.contains(Path::new(name)));
    for name in there {
        ledger.add(RemarkKind::UnlistedFile, 1, folder.join(name).display().to_string());
    }
    files
}

fn present_files(store: Store<'_>, folder: &Path, ledger: &mut Ledger) -> Vec<String> {
    let listing = match store.entries(folder) {
        Ok(listing) => listing,
        Err(error) => {
            ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", folder.display()));
            return Vec::new();
        }
    };
    let names = listing.into_iter().filter_map(|entry| Some(entry.ok()?.0.file_name()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| is_record_file(name)).collect();
    names.sort_by_cached_key(|name| (numbers(name), name.clone()));
    // A file that is there as it is, too, is not unpacked.
    let plain: BTreeSet<String> =
        names.iter().filter(|name| without_ending(name).is_none()).cloned().collect();
    names.retain(|name| {
        let is_twice = without_ending(name).is_some_and(|name| plain.contains(name));
        if is_twice {
            let what = format!("{}: the same without .gz is read", folder.join(name).display());
            ledger.add(RemarkKind::UnlistedFile, 1, what);
        }
        !is_twice
    });
    names
}

/// The numbers between the underscores of a name: `shaderdata_1_10.json` is 1, 10.
fn numbers(name: &str) -> Vec<Option<u32>> {
    let stem = without_ending(name).unwrap_or(name).trim_end_matches(".json");
    stem.split('_').skip(1).map(|part| engine_number(part.as_bytes())).collect()
}

fn by_number(there: &[String], folder: &Path, ledger: &mut Ledger) -> Vec<ListedFile> {
    there.iter().filter_map(|name| numbered(name, folder, ledger)).collect()
}

fn numbered(name: &str, folder: &Path, ledger: &mut Ledger) -> Option<ListedFile> {
    match numbers(name).first() {
        Some(&Some(se)) => Some(ListedFile { se, name: PathBuf::from(name), listed_times: None }),
        _ => {
            let path = folder.join(name);
            let why = "no shader engine's number in its name, expected shaderdata_<se>_<index>.json";
            ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {why}", path.display()));
            None
        }
    }
}

/// A listed name as a path in the folder: an absolute one, or one that leads out of the folder, is
/// from another machine, and only its last part counts.
fn inside(store: Store<'_>, folder: &Path, listed: &[u8]) -> PathBuf {
    let listed = String::from_utf8_lossy(listed).replace('\\', "/");
    let path = Path::new(&listed);
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let name = if stays && store.exists(&present(store, &folder.join(path))) {
        path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
    } else {
        path.file_name().map_or_else(|| PathBuf::from("?"), PathBuf::from)
    };
    present(store, &folder.join(&name)).strip_prefix(folder).map_or(name, Path::to_owned)
}
