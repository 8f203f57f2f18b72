//! `cargo xtask test`: what CI runs; and its lanes.
//!
//! Every step runs, also after one that failed: the reader sees all there is to mend. The last line counts the tests;
//! a step other than the tests that failed counts as one failure.

pub(crate) mod lanes;
mod programs;

use crate::shell::{self, announce, complain, say};
use crate::{setup, viewers, workspace};
use anyhow::{Context as _, Result};
use lanes::{Step, Variables};
use programs::Outcome;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Runs the lane of that name, or all tests. The last line is `N passed, N failed`, with `, N skipped` where tests were;
/// those above it say which, and what else was not checked.
pub(crate) fn run(name: Option<&str>) -> ExitCode {
    let lane = lanes::LANES.iter().find(|lane| Some(lane.name) == name);
    let mut report = Report { longer: lane.map_or(&[], |lane| lane.longer), ..Report::default() };
    for step in lane.map_or(lanes::ALL, |lane| lane.steps) {
        let is_done = report.step(*step);
        if !is_done && matches!(step, Step::Setup) {
            break;
        }
    }
    announce("summary");
    say(&report.lines().join("\n"));
    if report.failed.is_empty() && report.tests.failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[derive(Default)]
struct Report {
    tests: Outcome,
    /// Variables that give suites their long form.
    longer: Variables,
    failed: Vec<&'static str>,
    times: Vec<String>,
    /// The targets that the decoder was not checked for.
    unchecked: Vec<&'static str>,
}

impl Report {
    /// Runs one step. Returns false if it failed.
    fn step(&mut self, step: Step) -> bool {
        let name = match step {
            Step::Setup => "packages, components and viewers",
            Step::Format => "format",
            Step::Lints => "lints",
            Step::Lints19 => "lints of the plugin for LLVM 19",
            Step::Portable => "the decoder for other machines and with one feature",
            Step::Build => "build, with the plugin for LLVM 22",
            Step::Build19 => "build of the plugin for LLVM 19",
            Step::Tests(..) => "tests",
            Step::Documentation => "examples in doc comments",
            Step::Package => "packages of the crates",
        };
        announce(name);
        let start = Instant::now();
        let result = self.act(step);
        self.times.push(format!("{name} {} s", start.elapsed().as_secs()));
        if let Err(error) = &result {
            complain(error);
            self.failed.push(name);
        }
        result.is_ok()
    }

    fn act(&mut self, step: Step) -> Result<()> {
        let cargo = |arguments: &[&str]| shell::run(workspace::cargo()?.args(arguments));
        let for_llvm19 = |command: &str, rest: &[&str]| {
            shell::run(workspace::for_llvm19(workspace::cargo()?.arg(command))?.args(rest))
        };
        match step {
            Step::Setup => {
                setup::install(&setup::ALL)?;
                components()?;
                viewers::install()
            }
            Step::Format => cargo(&["fmt", "--all", "--check"]),
            Step::Lints => cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
            Step::Lints19 => for_llvm19("clippy", &["--", "--deny", "warnings"]),
            Step::Portable => {
                for feature in FEATURES {
                    let alone = ["--package", "sqtt-decoder", "--no-default-features", "--features", feature];
                    cargo(&[&["clippy"], &alone[..], &["--", "--deny", "warnings"]].concat())?;
                }
                PORTABLE.into_iter().try_for_each(|target| {
                    if !check_for(target)? {
                        self.unchecked.push(target);
                    }
                    Ok(())
                })
            }
            Step::Build => cargo(&["build", "--workspace"]),
            Step::Build19 => for_llvm19("build", &[]),
            Step::Tests(arguments, name) => self.run_tests(arguments, name),
            Step::Documentation => cargo(&["test", "--workspace", "--doc", "--quiet"]),
            Step::Package => cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"]),
        }
    }

    /// Builds test programs and runs them, one after the other.
    fn run_tests(&mut self, arguments: &str, name: &str) -> Result<()> {
        let plugins = workspace::debug_plugins()?;
        for program in programs::build(arguments)? {
            let mut command = program.command(name);
            if test_data::folder().is_dir() {
                command.arg("--include-ignored");
            }
            commands::without_settings(&mut command);
            // The same inputs in every run: what fails here fails for whoever looks into it. `cargo xtask fuzz` draws
            // new ones.
            command.env("PROPTEST_RNG_SEED", "1").envs(self.longer.iter().copied());
            // Built by the steps before; the tests need not ask cargo for them.
            for (version, file) in plugins.iter().filter(|(_, file)| file.is_file()) {
                command.env(format!("MARKERS_PLUGIN_{version}"), file);
            }
            program.run(command, &mut self.tests)?;
        }
        Ok(())
    }

    /// The lines of the summary.
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("time: {}", self.times.join(", "))];
        if !self.unchecked.is_empty() {
            let targets = self.unchecked.join(", ");
            lines.push(format!(
                "not checked: the decoder for {targets} (the toolchain has no standard library for them)"
            ));
        }
        let Outcome { passed, failed, skipped } = &self.tests;
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (test, why) in skipped {
            reasons.entry(why).or_default().push(test);
        }
        lines.extend(reasons.iter().map(|(why, tests)| format!("skipped, {why}:\n  {}", tests.join("\n  "))));
        if !failed.is_empty() {
            lines.push(format!("failed tests:\n  {}", failed.join("\n  ")));
        }
        if !self.failed.is_empty() {
            lines.push(format!("failed: {}", self.failed.join(", ")));
        }
        let mut counts = format!("{passed} passed, {} failed", failed.len() + self.failed.len());
        if !skipped.is_empty() {
            counts.push_str(&format!(", {} skipped", skipped.len()));
        }
        lines.push(counts);
        lines
    }
}

/// Further targets of the decoder: traces are read on other machines than those that made them.
const PORTABLE: [&str; 2] = ["x86_64-pc-windows-gnu", "wasm32-unknown-unknown"];

/// The features of the decoder, each of which is checked alone; and none of them.
const FEATURES: [&str; 6] = ["", "compressed", "demangle", "mmap", "raw", "write"];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_with_the_counts_and_says_above_what_they_leave_out() {
        let mut report = Report { times: vec!["format 0 s".to_owned()], ..Report::default() };
        assert_eq!(report.lines(), ["time: format 0 s", "0 passed, 0 failed"]);
        report.unchecked = PORTABLE.to_vec();
        report.tests = Outcome {
            passed: 2,
            failed: vec!["cargo test -p sqtt-sim --test it memory::a".to_owned()],
            skipped: vec![("cargo test -p rocpd --test it b".to_owned(), "no data".to_owned())],
        };
        report.failed = vec!["format"];
        assert_eq!(
            report.lines()[1..],
            [
                "not checked: the decoder for x86_64-pc-windows-gnu, wasm32-unknown-unknown (the toolchain has no \
                 standard library for them)",
                "skipped, no data:\n  cargo test -p rocpd --test it b",
                "failed tests:\n  cargo test -p sqtt-sim --test it memory::a",
                "failed: format",
                "2 passed, 2 failed, 1 skipped",
            ]
        );
    }
}
