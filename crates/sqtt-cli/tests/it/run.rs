//! `sqtt run`: what the program gets, and what comes back from it.

use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

fn sqtt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sqtt"))
}

#[test]
fn the_program_has_its_arguments_settings_and_libraries() {
    let script =
        r#"echo "$1"; env | grep ^SQTT_RUN_ | sort; echo "$LD_PRELOAD" | tr : '\n' | sed 's|.*/||'; exit 7"#;
    let mut command = sqtt();
    command.args(["run", "--target", "gfx1100", "--devices", "2", "--max-steps", "9"]);
    command.args(["--", "sh", "-c", script, "sh", "--list"]).env_remove("LD_PRELOAD");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    let expected = [
        "--list",
        "SQTT_RUN_DEVICES=2",
        "SQTT_RUN_MAX_STEPS=9",
        "SQTT_RUN_TARGET=gfx1100",
        "SQTT_RUN_THREADS=0",
        "libsqtt_hip.so",
        "libamdhip64.so.5",
        "libamdhip64.so.6",
        "libamdhip64.so.7",
        "libhiprtc.so.5",
        "libhiprtc.so.6",
        "libhiprtc.so.7",
    ];
    assert_eq!(lines, expected, "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn a_signal_that_ends_the_program_ends_the_command() {
    let output = sqtt().args(["run", "sh", "-c", "kill -TERM $$"]).output().unwrap();
    assert_eq!(output.status.signal(), Some(15));
}

#[test]
fn a_missing_program_and_a_missing_library_are_said() {
    let output = sqtt().args(["run", "/no/such/program"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("/no/such/program cannot be started"), "{err}");
    assert_eq!(output.status.code(), Some(1));
    let output = sqtt().args(["run", "true"]).env("SQTT_HIP_LIBRARY", "/no/such.so").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("libsqtt_hip.so is in none of /no/such.so") && err.contains("cargo build"), "{err}");
}

#[test]
fn the_functions_are_listed() {
    let output = sqtt().args(["run", "--list-functions"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let state = |name: &str| {
        let line = text.lines().find(|line| line.split(' ').next() == Some(name)).unwrap();
        line[name.len()..].trim().to_owned()
    };
    assert_eq!(state("hipMalloc"), "there");
    assert_eq!(state("hipImportExternalMemory"), "an error at its call");
    assert_eq!(sqtt().arg("run").output().unwrap().status.code(), Some(2));
}

#[test]
fn outputs_that_cannot_be_are_said_before_the_program_starts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("there.db"), "").unwrap();
    let cases: [(&[&str], i32, &str); 5] = [
        (&["--rocpd", "there.db"], 1, "there.db is there already"),
        (&["--rocpd", "none/x.db"], 1, "none/x.db: its folder is not there"),
        (&["--digests", "none/x"], 1, "none/x: its folder is not there"),
        (&["--trace", "."], 1, "the folder of the traces is not empty"),
        (&["--rocpd", "x.db", "--counters", "GRBM_COUNT"], 2, "`GRBM_COUNT` is not simulated"),
    ];
    for (options, status, part) in cases {
        let command = ["run"].iter().chain(options).chain(&["--", "echo", "started"]);
        let output = sqtt().args(command).current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(part) && output.stdout.is_empty(), "{options:?}: {err}");
        assert_eq!(output.status.code(), Some(status), "{options:?}");
    }
}
