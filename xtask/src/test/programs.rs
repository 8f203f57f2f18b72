//! Test programs: cargo builds them and says where they are, and each reports its tests as JSON.

use crate::shell::{cannot_start, display, say};
use crate::workspace::{cargo, root};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A program of tests.
pub(super) struct Program {
    file: PathBuf,
    /// The package's folder, in which cargo runs its tests.
    folder: PathBuf,
    /// Command that runs it: `cargo test -p rocpd --test it`.
    shown: String,
}

/// Cargo's message about something that was built, as far as it is looked at.
#[derive(Deserialize)]
struct Artifact {
    manifest_path: PathBuf,
    target: Target,
    profile: Profile,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds the test programs that the arguments select.
pub(super) fn build(arguments: &str) -> Result<Vec<Program>> {
    let mut cargo = cargo()?;
    cargo.args(["test", "--no-run", "--message-format", "json-render-diagnostics"]);
    cargo.args(arguments.split(' '));
    cargo.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = cargo.spawn().with_context(|| cannot_start(&cargo))?;
    let mut messages = String::new();
    child.stdout.take().context("cargo has no output")?.read_to_string(&mut messages)?;
    if !child.wait()?.success() {
        bail!("this failed, its output is above:\n  {}", display(&cargo));
    }
    let root = root();
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    Ok(artifacts.filter_map(|artifact| program(artifact, root)).collect())
}

fn program(artifact: Artifact, root: &Path) -> Option<Program> {
    let file = artifact.executable.filter(|_| artifact.profile.test)?;
    let folder = artifact.manifest_path.parent()?.to_owned();
    let package = match folder.file_name().filter(|_| folder != root) {
        Some(name) => format!("-p {} ", name.display()),
        None => String::new(),
    };
    let Target { kind, name } = artifact.target;
    let target = match kind.first().map(String::as_str) {
        Some(kind @ ("test" | "bin" | "example" | "bench")) => format!("--{kind} {name}"),
        _ => "--lib".to_owned(),
    };
    Some(Program { file, folder, shown: format!("cargo test {package}{target}") })
}

/// Results of tests.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) passed: usize,
    /// Each with what runs it.
    pub(super) failed: Vec<String>,
    /// Each with why.
    pub(super) skipped: Vec<(String, String)>,
}

/// A line of a test program's report.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    of: String,
    event: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    stdout: String,
    /// Why a test is ignored, or how it failed.
    #[serde(default)]
    message: String,
}

impl Program {
    /// Runs the tests with a part of this name.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.file);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder).arg(name);
        // The report as JSON is not stable: the harness gives it to those who ask like this.
        command.args(["--format=json", "-Zunstable-options"]).env("RUSTC_BOOTSTRAP", "1");
        command
    }

    /// Runs the command and adds what becomes of the tests.
    pub(super) fn run(&self, mut command: Command, outcome: &mut Outcome) -> Result<()> {
        let (start, before) = (Instant::now(), outcome.passed);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| cannot_start(&command))?;
        let output = BufReader::new(child.stdout.take().context("a test program has no output")?);
        let mut report = Reading { program: &self.shown, say, running: BTreeSet::new(), outcome };
        for line in output.split(b'\n') {
            report.line(&String::from_utf8_lossy(&line?));
        }
        let status = child.wait()?;
        report.end(status.success(), &status.to_string());
        let (passed, seconds) = (outcome.passed - before, start.elapsed().as_secs());
        if passed > 0 {
            say(&format!("{passed:>5} passed in {seconds:>4} s  {}", self.shown));
        }
        Ok(())
    }
}

/// The report of one program, as it comes.
struct Reading<'a> {
    program: &'a str,
    say: fn(&str),
    running: BTreeSet<String>,
    outcome: &'a mut Outcome,
}

impl Reading<'_> {
    fn line(&mut self, line: &str) {
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            // A test prints past the harness.
            return (self.say)(line);
        };
        let Event { name, stdout, message, .. } = event;
        if event.of != "test" {
            return;
        }
        if event.event == "started" {
            self.running.insert(name);
            return;
        }
        match event.event.as_str() {
            "ok" => self.outcome.passed += 1,
            "failed" => self.fail(&name, &format!("{stdout}{message}")),
            "ignored" => self.outcome.skipped.push((format!("{} {name}", self.program), message)),
            // A test that takes long.
            _ => return,
        }
        self.running.remove(&name);
    }

    fn fail(&mut self, name: &str, how: &str) {
        let shown = format!("{} {name}", self.program);
        (self.say)(&format!("FAILED: {shown}\n{how}"));
        self.outcome.failed.push(shown);
    }

    /// A program that ends badly without a test that failed broke off in those that were running.
    fn end(mut self, is_success: bool, status: &str) {
        let running = std::mem::take(&mut self.running);
        for name in &running {
            self.fail(name, &format!("the program broke off in it: {status}"));
        }
        let is_said = self.outcome.failed.iter().any(|failed| failed.starts_with(self.program));
        if !is_success && !is_said {
            self.fail("", &format!("the program broke off: {status}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(report: &str, is_success: bool) -> Outcome {
        let mut outcome = Outcome::default();
        let mut reading =
            Reading { program: "cargo test", say: |_| (), running: BTreeSet::new(), outcome: &mut outcome };
        report.lines().for_each(|line| reading.line(line));
        reading.end(is_success, "signal: 6");
        outcome
    }

    /// Output of the harness of Rust 1.95.
    const REPORT: &str = r#"{ "type": "suite", "event": "started", "test_count": 4 }
{ "type": "test", "event": "started", "name": "a" }
{ "type": "test", "event": "started", "name": "b" }
{ "type": "test", "name": "a", "event": "ok" }
{ "type": "test", "name": "b", "event": "failed", "stdout": "thread 'b' panicked\n" }
{ "type": "test", "name": "c", "event": "ignored", "message": "no data" }
printed by a child
"#;

    #[test]
    fn tests_are_counted_by_what_became_of_them() {
        let end =
            "{ \"type\": \"suite\", \"event\": \"failed\", \"passed\": 1, \"failed\": 1, \"ignored\": 1 }";
        let outcome = read(&format!("{REPORT}{end}"), false);
        assert_eq!((outcome.passed, outcome.failed), (1, vec!["cargo test b".to_owned()]));
        assert_eq!(outcome.skipped, [("cargo test c".to_owned(), "no data".to_owned())]);
    }

    #[test]
    fn a_program_that_breaks_off_has_failed_in_what_was_running() {
        let started = "{ \"type\": \"test\", \"event\": \"started\", \"name\": \"d\" }";
        assert_eq!(read(&format!("{REPORT}{started}"), false).failed, ["cargo test b", "cargo test d"]);
        assert_eq!(read("", false).failed, ["cargo test "]);
        assert!(read("", true).failed.is_empty());
    }
}
