//! `cargo xtask test`: what CI runs.
//!
//! Every step runs, also after one that failed: the reader sees all there is to mend. The last line counts the tests;
//! a step other than the tests that failed counts as one failure.

use crate::shell::{self, announce, cannot_start, complain, display, say};
use crate::summary::Tests;
use crate::{packages, plugin, setup, viewers, workspace};
use anyhow::{Context as _, Result, bail, ensure};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Runs the steps. Its last line is `N passed, N failed`, with `, N skipped` where tests were; those above it say which,
/// and what else was not checked.
pub(crate) fn run() -> ExitCode {
    let mut report = Report::default();
    // Without these two nothing else can be run.
    if report.step("packages", || setup::install(packages::ALL))
        && report.step("Rust's components", components)
    {
        report.step("viewers", viewers::install);
        report.step("format", || shell::run(workspace::cargo()?.args(["fmt", "--all", "--check"])));
        report.step("lints", || {
            shell::run(clippy()?.args(["--workspace", "--all-targets", "--", "--deny", "warnings"]))
        });
        report.step("lints of the plugin for LLVM 19", || {
            shell::run(plugin::for_llvm19(&mut clippy()?)?.args(["--", "--deny", "warnings"]))
        });
        let mut unchecked = Vec::new();
        report.step("the decoder for other machines", || {
            for target in PORTABLE {
                if !check_for(target)? {
                    unchecked.push(target);
                }
            }
            Ok(())
        });
        report.unchecked = unchecked;
        report.step("build, with the plugin for LLVM 22", || {
            shell::run(workspace::cargo()?.args(["build", "--workspace"]))
        });
        report.step("build of the plugin for LLVM 19", || {
            shell::run(plugin::for_llvm19(workspace::cargo()?.arg("build"))?)
        });
        let mut tests = Tests::default();
        report.step("tests", || run_tests(&mut tests));
        report.tests = tests;
    }
    report.close()
}

fn clippy() -> Result<Command> {
    let mut cargo = workspace::cargo()?;
    cargo.arg("clippy");
    Ok(cargo)
}

/// Where the decoder also has to work: traces are read on other machines than those that made them.
const PORTABLE: [&str; 2] = ["x86_64-pc-windows-gnu", "wasm32-unknown-unknown"];

/// Checks the decoder for a target. Returns false where the toolchain lacks the target's standard library.
fn check_for(target: &str) -> Result<bool> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    let library = shell::capture(&mut rustc)?;
    if !Path::new(library.trim()).is_dir() {
        say(&format!("{target}: not checked, the toolchain has no standard library for it"));
        return Ok(false);
    }
    let packages = ["--package", "sqtt-format", "--package", "sqtt-decoder"];
    shell::run(workspace::cargo()?.arg("check").args(packages).args(["--target", target]))?;
    Ok(true)
}

fn components() -> Result<()> {
    for (program, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        shell::capture(workspace::cargo()?.args([program, "--version"])).with_context(|| {
            format!("the Rust toolchain has no {component}: `rustup component add {component}` installs it")
        })?;
    }
    Ok(())
}

/// Runs all tests, documentation tests included, and counts them.
fn run_tests(tests: &mut Tests) -> Result<()> {
    let mut cargo = workspace::cargo()?;
    cargo.args(["test", "--workspace", "--no-fail-fast", "--color", "never"]).stdin(Stdio::null());
    // Cargo says on stderr which program it runs, and that program on stdout which of its tests failed: through one pipe,
    // so that they come in order.
    let (output, end) = std::io::pipe()?;
    cargo.stdout(end.try_clone()?).stderr(end);
    // The same inputs in every run: what fails here fails for whoever looks into it. `cargo xtask fuzz` draws new ones.
    cargo.env("PROPTEST_RNG_SEED", "1");
    // Built by the steps before; the tests need not ask cargo for them.
    for (version, file) in plugin::debug()? {
        cargo.env(format!("MARKERS_PLUGIN_{version}"), file);
    }
    let skipped = workspace::target_dir()?.join("skipped-tests.log");
    std::fs::write(&skipped, "").with_context(|| format!("{}: cannot be written", skipped.display()))?;
    cargo.env(test_data::LOG, &skipped);
    let shown = display(&cargo);
    let mut child = cargo.spawn().with_context(|| cannot_start(&cargo))?;
    // The command has the pipe's other end too, and as long as that is open the output does not end.
    drop(cargo);
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        let _ = std::io::stdout().write_all(&line);
        tests.add_line(&String::from_utf8_lossy(&line));
        line.clear();
    }
    let status = child.wait()?;
    let log = std::fs::read(&skipped).with_context(|| format!("{}: cannot be read", skipped.display()))?;
    tests.add_skipped(&String::from_utf8_lossy(&log));
    if !status.success() {
        bail!("this failed ({status}), its output is above:\n  {shown}");
    }
    ensure!(tests.counts.passed > 0, "no test was run");
    Ok(())
}

#[derive(Default)]
struct Report {
    tests: Tests,
    failed: Vec<&'static str>,
    times: Vec<String>,
    /// The targets that the decoder was not checked for.
    unchecked: Vec<&'static str>,
}

impl Report {
    /// Runs one step. Returns whether it succeeded.
    fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> bool {
        announce(name);
        let start = Instant::now();
        let result = step();
        self.times.push(format!("{name} {} s", start.elapsed().as_secs()));
        if let Err(error) = &result {
            complain(error);
            self.failed.push(name);
        }
        result.is_ok()
    }

    /// The lines of the summary.
    fn lines(&self) -> Vec<String> {
        let mut counts = self.tests.counts;
        let tests_failed = counts.failed > 0;
        // A failure of the tests that is in the counts already is not counted twice.
        let uncounted = self.failed.iter().filter(|name| !(tests_failed && **name == "tests")).count();
        counts.failed += uncounted as u64;
        let mut lines = vec![format!("time: {}", self.times.join(", "))];
        if !self.unchecked.is_empty() {
            let targets = self.unchecked.join(", ");
            lines.push(format!(
                "not checked: the decoder for {targets} (the toolchain has no standard library for them)"
            ));
        }
        lines.extend(self.tests.lines());
        if !self.failed.is_empty() {
            lines.push(format!("failed: {}", self.failed.join(", ")));
        }
        lines.push(counts.to_string());
        lines
    }

    fn close(self) -> ExitCode {
        announce("summary");
        say(&self.lines().join("\n"));
        let _ = std::io::stdout().flush();
        if self.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_with_the_counts_and_says_above_what_they_leave_out() {
        let mut report = Report { times: vec!["packages 0 s".to_owned()], ..Report::default() };
        assert_eq!(report.lines(), ["time: packages 0 s", "0 passed, 0 failed"]);
        report.unchecked = PORTABLE.to_vec();
        for line in [
            "     Running tests/it/main.rs (target/debug/deps/it-1)",
            "failures:",
            "    memory::a",
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s",
            "error: test failed, to rerun pass `-p sqtt-sim --test it`",
        ] {
            report.tests.add_line(line);
        }
        report.tests.add_skipped("it-1\tcorpus::b\tno data\n");
        report.failed = vec!["format", "tests"];
        assert_eq!(
            report.lines()[1..],
            [
                "not checked: the decoder for x86_64-pc-windows-gnu, wasm32-unknown-unknown (the toolchain has no \
                 standard library for them)",
                "skipped, as no data: it::corpus::b",
                "failed tests: memory::a (-p sqtt-sim --test it)",
                "failed: format, tests",
                "1 passed, 2 failed, 1 skipped",
            ]
        );
    }
}
