//! What `cargo test` reports: how many tests did what, and which ones failed or were skipped.

use std::fmt;
use test_data::Skipped;

/// Tests by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Counts {
    /// Adds what a line says, if it is the closing line of a test program:
    /// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
    /// Returns whether it is one.
    fn add_line(&mut self, line: &str) -> bool {
        let Some(result) = line.strip_prefix("test result: ") else { return false };
        // The verdict ends with a full stop, the counts follow.
        let Some((_, counts)) = result.split_once(". ") else { return false };
        for part in counts.split("; ") {
            let Some((number, what)) = part.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.skipped += number,
                _ => {}
            }
        }
        true
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(out, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// What happened to the tests, as far as `cargo test` has said it.
#[derive(Debug, Default)]
pub(crate) struct Tests {
    pub(crate) counts: Counts,
    failed: Vec<Failed>,
    skipped: Vec<Skipped>,
    /// The file name of the test program that runs.
    program: String,
    /// The names under the last `failures:` of that program; none where no such list is being read.
    list: Option<Vec<String>>,
}

/// The failures of one test program.
#[derive(Debug, Default)]
struct Failed {
    program: String,
    /// None where the program broke off, and named none. That counts as one failure.
    tests: Vec<String>,
    /// Cargo's arguments for this program: `-p rocpd --test it`.
    arguments: String,
}

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tests, arguments, .. } = self;
        match (tests.join(", ").as_str(), arguments.as_str()) {
            ("", arguments) => write!(out, "{arguments} (it broke off)"),
            (tests, "") => out.write_str(tests),
            (tests, arguments) => write!(out, "{tests} ({arguments})"),
        }
    }
}

impl Tests {
    /// Adds a line of cargo's output and errors, which have to come in the order in which they were written.
    pub(crate) fn add_line(&mut self, line: &str) {
        let line = line.trim_end();
        if let Some(program) = running(line) {
            program.clone_into(&mut self.program);
            self.list = None;
        } else if line == "failures:" {
            // A program says this twice: before what its tests printed, and before their names, which come last.
            self.list = Some(Vec::new());
        } else if self.counts.add_line(line) {
            let tests = self.list.take().unwrap_or_default();
            if !tests.is_empty() {
                self.failed.push(Failed { program: self.program.clone(), tests, arguments: String::new() });
            }
        } else if let Some(arguments) = rerun(line) {
            let of_this =
                |failed: &&mut Failed| failed.program == self.program && failed.arguments.is_empty();
            match self.failed.last_mut().filter(of_this) {
                Some(failed) => arguments.clone_into(&mut failed.arguments),
                None => {
                    self.counts.failed += 1;
                    self.failed.push(Failed {
                        program: self.program.clone(),
                        tests: Vec::new(),
                        arguments: arguments.to_owned(),
                    });
                }
            }
        } else if let (Some(list), Some(name)) = (&mut self.list, line.strip_prefix("    ")) {
            list.push(name.to_owned());
        }
    }

    /// Moves the tests that ended early from those that passed to those that were skipped. `log` is what
    /// `test_data::skip` wrote.
    pub(crate) fn add_skipped(&mut self, log: &str) {
        for skipped in log.lines().filter_map(Skipped::parse) {
            let same = |other: &Skipped| (&other.program, &other.test) == (&skipped.program, &skipped.test);
            let has_failed = |failed: &Failed| {
                failed.program == skipped.program
                    && (failed.tests.is_empty() || failed.tests.contains(&skipped.test))
            };
            if !self.skipped.iter().any(same) && !self.failed.iter().any(has_failed) {
                self.counts.passed = self.counts.passed.saturating_sub(1);
                self.counts.skipped += 1;
                self.skipped.push(skipped);
            }
        }
    }

    /// Which tests were skipped and which failed, for the reader: a line per reason, and one.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
        for Skipped { program, test, why } in &self.skipped {
            // Cargo appends a hash.
            let program = program.rsplit_once('-').map_or(program.as_str(), |(program, _)| program);
            let name = format!("{program}::{test}");
            match reasons.iter_mut().find(|(reason, _)| reason == why) {
                Some((_, tests)) => tests.push(name),
                None => reasons.push((why, vec![name])),
            }
        }
        let skipped = reasons.iter().map(|(why, tests)| format!("skipped, as {why}: {}", tests.join(", ")));
        let mut lines: Vec<String> = skipped.collect();
        if !self.failed.is_empty() {
            let failed: Vec<String> = self.failed.iter().map(ToString::to_string).collect();
            lines.push(format!("failed tests: {}", failed.join("; ")));
        }
        lines
    }
}

/// The file name of the test program that a line announces:
/// `     Running tests/it/main.rs (target/debug/deps/it-2c4e9f3a8b1d7e60)`, or `   Doc-tests rocpd`.
fn running(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(library) = line.strip_prefix("Doc-tests ") {
        return Some(library);
    }
    let (_, path) = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once('(')?;
    path.rsplit('/').next()
}

/// Cargo's arguments for a test program that failed: ``error: test failed, to rerun pass `-p rocpd --test it` ``.
fn rerun(line: &str) -> Option<&str> {
    let (_, arguments) = line.strip_prefix("error: ")?.split_once("failed, to rerun pass `")?;
    arguments.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> Tests {
        let mut tests = Tests::default();
        output.lines().for_each(|line| tests.add_line(line));
        tests
    }

    #[test]
    fn closing_lines_are_added_up_and_others_are_not() {
        let tests = read(
            "running 3 tests\n\
             test names::round_trip ... ok\n\
             test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test result: FAILED. 2 passed; 5 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n\
             4 passed; 4 failed\n",
        );
        assert_eq!(tests.counts, Counts { passed: 5, failed: 5, skipped: 1 });
        assert_eq!(tests.counts.to_string(), "5 passed, 5 failed, 1 skipped");
        assert_eq!(Counts { passed: 7, ..Counts::default() }.to_string(), "7 passed, 0 failed");
        assert_eq!(tests.lines(), [""; 0]);
    }

    /// What cargo wrote, but for the backtraces: a library with a test that fails and prints, a program that aborts,
    /// one that is well, and a documentation test that fails.
    const FAILURES: &str = "     Running unittests src/lib.rs (target/debug/deps/probe-9949de8168e972d0)

running 3 tests
test names::ok ... ok
test names::bad ... FAILED
test names::worse ... FAILED

failures:

---- names::bad stdout ----
failures:
    a lie

---- names::worse stdout ----

thread 'names::worse' (30766) panicked at src/lib.rs:5:63:
explicit panic
stack backtrace:
    0: __rustc::rust_begin_unwind

failures:
    names::bad
    names::worse

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.22s

error: test failed, to rerun pass `-p probe --lib`
     Running tests/crash.rs (target/debug/deps/crash-88df463c50880bed)

running 2 tests
error: test failed, to rerun pass `-p probe --test crash`

Caused by:
  process didn't exit successfully: `target/debug/deps/crash-88df463c50880bed` (signal: 6, SIGABRT)
     Running tests/fine.rs (target/debug/deps/fine-686464e2866fadce)

running 4 tests
test bad ... ok
test names::bad ... ok
test one ... ok
test two ... ok

test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests probe

running 1 test
test src/lib.rs - a (line 1) ... FAILED

failures:

---- src/lib.rs - a (line 1) stdout ----
Test executable failed (exit status: 101).

failures:
    src/lib.rs - a (line 1)

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.29s

all doctests ran in 1.40s; merged doctests compilation took 1.11s
error: doctest failed, to rerun pass `-p probe --doc`
error: 3 targets failed:
    `-p probe --lib`
    `-p probe --test crash`
    `-p probe --doc`
";

    #[test]
    fn failed_tests_are_named_with_what_runs_them_again() {
        let tests = read(FAILURES);
        assert_eq!(tests.counts, Counts { passed: 5, failed: 4, skipped: 0 });
        let line = "failed tests: names::bad, names::worse (-p probe --lib); -p probe --test crash (it broke off); \
                    src/lib.rs - a (line 1) (-p probe --doc)";
        assert_eq!(tests.lines(), [line]);
    }

    #[test]
    fn skipped_tests_are_counted_once_and_only_where_they_passed() {
        let mut tests = read(FAILURES);
        tests.add_skipped(
            "fine-686464e2866fadce\tone\tno data\n\
             fine-686464e2866fadce\tnames::bad\tno clang\n\
             fine-686464e2866fadce\tone\tno clang\n\
             fine-686464e2866fadce\ttwo\tno data\n\
             probe-9949de8168e972d0\tnames::bad\tit failed later\n\
             crash-88df463c50880bed\tany\tits program was not counted\n\
             no line of ours\n",
        );
        assert_eq!(tests.counts, Counts { passed: 2, failed: 4, skipped: 3 });
        let lines = tests.lines();
        assert_eq!(
            lines[..2],
            ["skipped, as no data: fine::one, fine::two", "skipped, as no clang: fine::names::bad"]
        );
        assert!(lines[2].starts_with("failed tests: ") && lines.len() == 3, "{lines:?}");
    }
}
