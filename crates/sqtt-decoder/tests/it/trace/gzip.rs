//! Trace folders whose files gzip compressed: read as they were, in bounded memory, and cut off with a word.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use crate::traces::{events, load};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::write::{RewriteOptions, rewrite_folder};
use sqtt_decoder::{Ledger, RemarkKind};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Compresses a file in its place.
fn compress(path: &Path) {
    let compressed = gzip(&fs::read(path).unwrap());
    fs::remove_file(path).unwrap();
    fs::write(format!("{}.gz", path.display()), compressed).unwrap();
}

fn json_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect()
}

fn generated(plan: &Plan) -> (tempfile::TempDir, std::path::PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let folder = write(root.path(), plan).unwrap().folder;
    (root, folder)
}

fn places(ledger: &Ledger, kind: RemarkKind) -> Vec<String> {
    let tally = ledger.tallies().find(|(found, _)| *found == kind);
    tally.map_or_else(Vec::new, |(_, tally)| tally.places.keys().cloned().collect())
}

#[test]
fn a_compressed_folder_says_what_the_plain_one_says() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let plan = Plan { writer, packed: true, records: 3000, records_per_file: 500, ..Plan::default() };
        let (root, ui) = generated(&plan);
        let plain = load(root.path());
        let (expected, ledger) = events(&plain);
        assert!(ledger.is_empty(), "{ledger}");
        json_files(&ui).iter().for_each(|file| compress(file));
        let folder = load(root.path());
        let (lines, ledger) = events(&folder);
        assert!(lines == expected && ledger.is_empty(), "{ledger}");
        assert_eq!(folder.record_count(), plain.record_count());
        // As the files' numbers have it, where no list does.
        fs::remove_file(ui.join("filenames.json.gz")).unwrap();
        let (lines, _) = events(&load(root.path()));
        assert_eq!(lines, expected);
    }
}

#[test]
fn written_anew_it_is_plain() {
    let (root, ui) =
        generated(&Plan { packed: true, records: 3000, records_per_file: 500, ..Plan::default() });
    let rewritten = |name: &str, keep_packed: bool| {
        let target = root.path().join(name);
        fs::create_dir(&target).unwrap();
        let options = RewriteOptions::default().keep_packed(keep_packed);
        let ledger = rewrite_folder(&load(&ui), &target, &options).unwrap();
        assert!(ledger.is_empty(), "{ledger}");
        let mut files: Vec<_> = fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
            .into_iter()
            .map(|file| (file.file_name().unwrap().to_owned(), fs::read(file).unwrap()))
            .collect::<Vec<_>>()
    };
    let (plain, plain_packed) = (rewritten("a", false), rewritten("b", true));
    fs::write(ui.join("snapshots.json"), "{}").unwrap();
    json_files(&ui).iter().for_each(|file| compress(file));
    fs::remove_file(ui.join("snapshots.json.gz")).unwrap();
    assert!(rewritten("c", false) == plain);
    assert!(rewritten("d", true) == plain_packed);
}

#[test]
fn a_file_that_is_there_in_both_forms_is_read_once() {
    let (root, ui) = generated(&Plan { records: 1000, engines: 1, ..Plan::default() });
    let expected = events(&load(root.path())).0;
    let file = ui.join("shaderdata_0_0.json");
    fs::write(ui.join("shaderdata_0_0.json.gz"), gzip(&fs::read(&file).unwrap())).unwrap();
    for _ in 0..2 {
        let (lines, ledger) = events(&load(root.path()));
        assert_eq!(lines, expected);
        let place = places(&ledger, RemarkKind::UnlistedFile);
        assert!(place.len() == 1 && place[0].ends_with("json.gz: the same without .gz is read"), "{place:?}");
        fs::write(ui.join("filenames.json"), "{}").unwrap();
    }
}

/// Everything compressed before the cut is read.
#[test]
fn a_compressed_file_that_is_cut_off_or_damaged_is_a_loss() {
    let (root, ui) =
        generated(&Plan { records: 20_000, records_per_file: 20_000, engines: 1, ..Plan::default() });
    let name = "shaderdata_0_0.json";
    let all = load(root.path()).record_count();
    let plain = fs::read(ui.join(name)).unwrap();
    compress(&ui.join(name));
    let file = ui.join("shaderdata_0_0.json.gz");
    let whole = fs::read(&file).unwrap();
    let read = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let folder = load(root.path());
        (folder.record_count(), events(&folder).1)
    };
    let (others, _) = read(b"");
    for cut in [0, 5, whole.len() / 3, whole.len() / 2, whole.len() - 9] {
        // What gzip itself gets out of it.
        let mut left = Vec::new();
        let _ = GzDecoder::new(&whole[..cut]).read_to_end(&mut left);
        assert_eq!(left, plain[..left.len()]);
        // What follows the records has rows, too.
        let rows = (left.windows(2).filter(|bytes| bytes == b"],").count() as u64).min(all - others);
        let (records, ledger) = read(&whole[..cut]);
        assert!((rows..=rows + 1).contains(&(records - others)), "{cut}: {records}, {others} and {rows}");
        let place = places(&ledger, RemarkKind::TruncatedFile);
        assert!(place.len() == 1, "{cut}: {ledger}");
        assert!(place[0].contains("shaderdata_0_0.json.gz, unpacked: at byte 0x"), "{place:?}");
    }
    // The checksum and the size are missing.
    let (records, ledger) = read(&whole[..whole.len() - 5]);
    assert_eq!((records, ledger.count(RemarkKind::TruncatedFile)), (all, 1));
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x55;
    let (records, ledger) = read(&damaged);
    assert!(records < all && !ledger.is_lossless(), "{records}, {ledger}");
    let mut wrong = whole.clone();
    *wrong.iter_mut().nth_back(5).unwrap() ^= 1;
    let (records, ledger) = read(&wrong);
    assert_eq!((records, ledger.count(RemarkKind::SkippedFile)), (all, 1), "{ledger}");
    // Not compressed at all.
    let (records, ledger) = read(&plain);
    assert_eq!((records, ledger.count(RemarkKind::SkippedFile)), (others, 1), "{ledger}");
    // Two parts, as they come of files joined.
    let (one, other) = plain.split_at(1000);
    let (records, ledger) = read(&[gzip(one), gzip(other)].concat());
    assert!(records == all && ledger.is_empty(), "{ledger}");
}

/// A hundred megabytes of one record in half a megabyte: no more is unpacked than any file of that size may hold.
#[test]
fn a_bomb_is_read_up_to_a_limit() {
    let (root, ui) = generated(&Plan { records: 100, engines: 1, ..Plan::default() });
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(b"{\"records\":[").unwrap();
    let row = b"[200,6,1,2,3,0],".repeat(1 << 12);
    let mut size = 0;
    while size < 96 << 20 {
        encoder.write_all(&row).unwrap();
        size += row.len();
    }
    encoder.write_all(b"[300,1,1,2,3,0]]}").unwrap();
    let bomb = encoder.finish().unwrap();
    fs::remove_file(ui.join("shaderdata_0_0.json")).unwrap();
    fs::write(ui.join("shaderdata_0_0.json.gz"), &bomb).unwrap();
    let folder = load(root.path());
    let most = (64 * bomb.len()).max(64 << 20);
    assert!(size > most, "{size} {most}");
    // What comes before the limit is read.
    assert!(
        (most / 16 - 1..=most / 16).contains(&(folder.record_count() as usize)),
        "{}",
        folder.record_count()
    );
    let place = places(&folder.ledger, RemarkKind::SkippedFile);
    assert!(
        place.len() == 1 && place[0].contains(&format!("it unpacks to more than {most} bytes")),
        "{place:?}"
    );
}
