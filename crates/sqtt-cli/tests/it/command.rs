//! Runs the `sqtt` command.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// Result of a run.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

/// Runs `sqtt` in a folder.
pub(crate) fn sqtt(folder: &Path, args: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_sqtt")).args(args).current_dir(folder).output().unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Runs `sqtt`, which must come to an end: what waits for a pipe never does.
pub(crate) fn sqtt_that_ends(folder: &Path, args: &[&str]) -> Ran {
    ends(Command::new(env!("CARGO_BIN_EXE_sqtt")).args(args).current_dir(folder))
}

/// Runs any command, which must come to an end.
pub(crate) fn ends(command: &mut Command) -> Ran {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let (sender, receiver) = std::sync::mpsc::channel();
    let wait = std::thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = receiver.recv_timeout(std::time::Duration::from_secs(120)) else {
        Command::new("kill").args(["-9", &id]).status().unwrap();
        panic!("it does not end: {command:?}");
    };
    wait.join().unwrap().unwrap();
    let output = output.unwrap();
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Runs `sqtt`, reads the first bytes of its output, and closes the pipe. The exit status, and stderr.
pub(crate) fn sqtt_into_broken_pipe(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sqtt"));
    let pipes = command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// Compares with `tests/goldens/{name}`. Only `BLESS=1` writes it; a golden that is missing fails.
pub(crate) fn golden(name: &str, got: &str) {
    test_data::golden(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/goldens")).join(name), got);
}
