//! The report, for people.

use std::io::{self, Write};

use sqtt_format::Printable;

use crate::{Level, Report};

/// Writes a line per finding, and below it what would mend it.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut last = None;
    for finding in &report.findings {
        let level = match finding.level {
            Level::Ok => "ok",
            Level::Unknown => "unknown",
            Level::Warning => "warning",
            Level::Problem => "PROBLEM",
        };
        writeln!(out, "{:<10} {level:<8} {}", finding.check, Printable(finding.says.as_bytes()))?;
        let Some(remedy) = &finding.remedy else { continue };
        // One command often mends several things.
        let lines = if last == Some(remedy) { "the same" } else { remedy };
        for line in lines.lines() {
            writeln!(out, "{:<10} {:<8} -> {}", "", "", Printable(line.as_bytes()))?;
        }
        last = Some(remedy);
    }
    let count = |level: Level| report.findings.iter().filter(|finding| finding.level == level).count();
    writeln!(out, "{} problems, {} warnings", count(Level::Problem), count(Level::Warning))
}
