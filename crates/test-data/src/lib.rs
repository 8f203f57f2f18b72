//! Things that tests need and a machine may lack: the shared test data, a tool. A test without them ends early, and
//! says so.
//!
//! The test harness counts such a test as passed. `cargo xtask test` names a file in [`LOG`], finds in it what was
//! skipped, and counts it as that.

#![forbid(unsafe_code)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The environment variable with the file that [`skip`] adds to. Not one of `SQTT_`: the plugin refuses those that it
/// does not know, and tests hand it their environment.
pub const LOG: &str = "SKIPPED_TESTS_LOG";

/// The environment variable with the folder of the test data, where that is not beside the project.
const FOLDER: &str = "SQTT_TEST_DATA";

/// A file or folder of the shared test data. `None`, and the test counts as skipped, where there is none.
#[must_use]
pub fn find(name: &str) -> Option<PathBuf> {
    let named = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    let folder = named.map_or_else(beside_the_project, PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    // One reason for all that the folder would have held.
    let absent = if folder.is_dir() { path } else { folder };
    skip(&format!("the test data {} is not there ({FOLDER} names another folder)", absent.display()));
    None
}

/// The contents of an archive (`.tgz`) of the shared test data. `None`, and the test counts as skipped, where there is
/// none.
///
/// # Panics
///
/// When `tar` cannot unpack it.
#[must_use]
pub fn unpack(archive: &str) -> Option<TempDir> {
    let archive = find(archive)?;
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("a temporary folder: {error}"));
    let mut tar = Command::new("tar");
    let output = tar.arg("xzf").arg(&archive).arg("-C").arg(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("tar: {error}"));
    assert!(output.status.success(), "{}: {}", archive.display(), String::from_utf8_lossy(&output.stderr));
    Some(folder)
}

/// Says that the test of this thread is skipped. The caller ends it.
///
/// # Panics
///
/// When the file that [`LOG`] names cannot be written: the count of the tests would be wrong.
pub fn skip(why: &str) {
    eprintln!("skipped: {why}");
    let Some(log) = std::env::var_os(LOG).filter(|log| !log.is_empty()) else { return };
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_name).unwrap_or_default();
    let skipped = Skipped {
        program: program.to_string_lossy().into_owned(),
        // The harness names a test's thread after the test.
        test: std::thread::current().name().unwrap_or_default().to_owned(),
        why: why.replace('\n', " "),
    };
    // Other tests write as well: a line is one write at the file's end.
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&log);
    if let Err(error) = file.and_then(|mut file| file.write_all(skipped.line().as_bytes())) {
        panic!("{LOG}={}: {error}", log.display());
    }
}

/// A line of the file that [`LOG`] names. One test may have several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file name of the test program.
    pub program: String,
    /// The test's name in its program.
    pub test: String,
    /// The thing that was not there.
    pub why: String,
}

impl Skipped {
    fn line(&self) -> String {
        format!("{}\t{}\t{}\n", self.program, self.test, self.why)
    }

    /// Reads a line. `None` where it is none of [`skip`].
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = line.splitn(3, '\t').map(str::to_owned);
        Some(Self { program: fields.next()?, test: fields.next()?, why: fields.next()? })
    }
}

fn beside_the_project() -> PathBuf {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    project.and_then(Path::parent).unwrap_or(Path::new("/")).join("shared/data")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes the first test below look for data, in a process with variables of its own.
    const LOOK: &str = "TEST_DATA_LOOK";

    #[test]
    fn looks_for_data_when_told_to() {
        if std::env::var_os(LOOK).is_some() {
            assert_eq!((find("a"), find("b")), (None, None));
            skip("two\nlines");
        }
    }

    #[test]
    fn what_is_skipped_is_in_the_log_by_test_and_reason() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let run = |data: &Path| {
            let program = std::env::current_exe().unwrap();
            let mut command = Command::new(&program);
            let args = ["--exact", "tests::looks_for_data_when_told_to"];
            let output = command.args(args).env(LOOK, "1").env(LOG, &log).env(FOLDER, data).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            let lines = std::fs::read_to_string(&log).unwrap();
            std::fs::remove_file(&log).unwrap();
            let of_this = |skipped: &Skipped| {
                Some(skipped.program.as_str()) == program.file_name().unwrap().to_str()
                    && skipped.test == "tests::looks_for_data_when_told_to"
            };
            let lines: Vec<Skipped> = lines.lines().map(|line| Skipped::parse(line).unwrap()).collect();
            assert!(lines.iter().all(of_this), "{lines:?}");
            lines.into_iter().map(|skipped| skipped.why).collect::<Vec<_>>()
        };
        let none = "the test data /nowhere is not there (SQTT_TEST_DATA names another folder)";
        assert_eq!(run(Path::new("/nowhere")), [none, none, "two lines"]);
        let here = run(folder.path());
        assert!(here[0].contains("/a is not there") && here[1].contains("/b is not there"), "{here:?}");
    }

    #[test]
    fn the_data_is_looked_for_beside_the_project() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        assert_eq!(beside_the_project(), root.parent().unwrap().join("shared/data"));
    }
}
