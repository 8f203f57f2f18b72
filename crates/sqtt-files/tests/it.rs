//! Outputs: modes, links, pipes, and what is refused.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use sqtt_files::{OutputError, WholeFile, refuse_inputs};

fn write(path: &Path) -> Result<(), OutputError> {
    let mut out = WholeFile::create(path)?;
    out.write_all(b"new").unwrap();
    out.finish()
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn a_new_file_has_the_mode_of_the_mask_and_a_replaced_one_keeps_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    fs::write(folder.path().join("plain"), "").unwrap();
    write(&path).unwrap();
    assert_eq!(mode(&path), mode(&folder.path().join("plain")));
    for kept in [0o600, 0o640, 0o666] {
        fs::set_permissions(&path, PermissionsExt::from_mode(kept)).unwrap();
        write(&path).unwrap();
        assert_eq!(mode(&path), kept);
    }
}

#[test]
fn a_link_stays_and_leads_to_the_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "old").unwrap();
    symlink(&target, &link).unwrap();
    write(&link).unwrap();
    assert!(link.is_symlink());
    assert_eq!(fs::read(&target).unwrap(), b"new");
}

#[test]
fn a_pipe_is_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let place = pipe.clone();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        fs::File::open(place).unwrap().read_to_string(&mut text).unwrap();
        text
    });
    write(&pipe).unwrap();
    assert_eq!(reader.join().unwrap(), "new");
    assert!(!pipe.metadata().unwrap().is_file());
}

#[test]
fn inputs_and_databases_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (input, hard) = (folder.path().join("in"), folder.path().join("hard"));
    let link = folder.path().join("link");
    fs::write(&input, "text").unwrap();
    fs::hard_link(&input, &hard).unwrap();
    symlink(&input, &link).unwrap();
    for output in [&input, &hard, &link] {
        let refused = refuse_inputs(output, [input.as_path()]).unwrap_err();
        assert!(matches!(refused, OutputError::IsInput { .. }), "{refused}");
    }
    refuse_inputs(&folder.path().join("other"), [input.as_path()]).unwrap();
    refuse_inputs(Path::new("/dev/null"), [Path::new("/dev/null")]).unwrap();
    fs::write(&input, b"SQLite format 3\0 and more").unwrap();
    assert!(matches!(write(&link).unwrap_err(), OutputError::IsDatabase { .. }));
    assert!(fs::read(&input).unwrap().starts_with(b"SQLite"));
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere/out");
    let text = write(&path).unwrap_err().to_string();
    assert!(text.ends_with("nowhere") && text.contains("there is no folder"), "{text}");
    fs::write(folder.path().join("file"), "").unwrap();
    let text = write(&folder.path().join("file/out")).unwrap_err().to_string();
    assert!(text.contains("is no folder"), "{text}");
}

#[test]
fn nothing_stays_of_a_file_that_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let mut out = WholeFile::create(&folder.path().join("out")).unwrap();
    out.write_all(b"half").unwrap();
    drop(out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let path = folder.path().join("out");
    let begun = WholeFile::create_new(&path).unwrap();
    fs::write(&path, "another's").unwrap();
    assert!(matches!(begun.finish(), Err(OutputError::Exists { .. })));
    assert!(matches!(WholeFile::create_new(&path), Err(OutputError::Exists { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
