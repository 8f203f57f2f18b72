//! Counts what `cargo test` reports.

use std::fmt;

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
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some(result) = line.trim_end().strip_prefix("test result: ") else { return };
        // The verdict ends with a full stop, the counts follow.
        let Some((_, counts)) = result.split_once(". ") else { return };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_added_up_and_others_are_not() {
        let mut counts = Counts::default();
        for line in [
            "running 3 tests",
            "test names::round_trip ... ok",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
            "test result: FAILED. 2 passed; 5 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
            "4 passed; 4 failed",
        ] {
            counts.add_line(line);
        }
        assert_eq!(counts, Counts { passed: 5, failed: 5, skipped: 1 });
        assert_eq!(counts.to_string(), "5 passed, 5 failed, 1 skipped");
        assert_eq!(Counts { passed: 7, ..Counts::default() }.to_string(), "7 passed, 0 failed");
    }
}
