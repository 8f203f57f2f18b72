//! `sqtt rocpd check`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use rocpd::Severity;

use super::report::ReportArgs;

/// Checks a database against what readers need: pages, tables, views, references, JSON, numbering, ledger.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  sqtt rocpd check 4711_results.db && echo good\n\n\
    Exit status: 0 without an error (warnings are none), 1 with one, 2 for wrong arguments.")]
pub(super) struct Check {
    /// The database
    #[arg(value_name = "DB")]
    database: PathBuf,
    #[command(flatten)]
    report: ReportArgs,
}

impl Check {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let report = rocpd::check(&self.database, &mut self.report.progress())?;
        self.report.print(&report, |report, out| {
            for finding in &report.findings {
                let word = match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                };
                match &finding.guid {
                    Some(guid) => out.push(format!("{word}: guid {guid}: {}", finding.what)),
                    None => out.push(format!("{word}: {}", finding.what)),
                }
            }
            let verdict = if report.is_good() { "good" } else { "not good" };
            out.push(format!("{}: {verdict}", report.path.display()));
        })?;
        if !report.is_good() {
            let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
            bail!("{}: {errors} errors", self.database.display());
        }
        Ok(())
    }
}
