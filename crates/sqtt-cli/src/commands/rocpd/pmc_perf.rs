//! `sqtt rocpd pmc-perf`.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use rocpd::{Columns, ExportOptions, ExportReport, Pass};

use super::report::{ReportArgs, warn};
use crate::output::Output;

/// Writes the counters of databases, or of a profiling run's folder, as pmc_perf.csv.
///
/// Folders are read as profiling runs leave them: out/<pass>/<host>/<pid>_results.db with
/// out/<pass>/<pid>_native_counter_collection.db (or .csv, .csv.gz), or <pass>.db. Native files are merged
/// while reading; no database is changed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sqtt rocpd pmc-perf workloads/vcopy/MI300X -o pmc_perf.csv\n  \
    sqtt rocpd pmc-perf pass_0.db pass_1.db -o - --columns 17 | head\n\n\
    Exit status: 0 when the file is complete, 1 when there is none, 2 for wrong arguments.")]
pub(super) struct PmcPerf {
    /// Databases (each a pass) or folders
    #[arg(required = true, value_name = "DB-OR-DIR")]
    inputs: Vec<PathBuf>,
    /// The file to write ("-" is stdout); it is replaced when it exists
    #[arg(short, long, value_name = "CSV", default_value = "pmc_perf.csv")]
    output_file: PathBuf,
    /// The form: 15 columns, or 17 with guid and correlation id and renumbered dispatches
    #[arg(long, value_enum, default_value_t = Form::Fifteen)]
    columns: Form,
    #[command(flatten)]
    report: ReportArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    #[value(name = "15")]
    Fifteen,
    #[value(name = "17")]
    Seventeen,
}

impl PmcPerf {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut passes = Vec::new();
        for input in &self.inputs {
            passes.extend(rocpd::find_passes(input)?);
        }
        let columns = match self.columns {
            Form::Fifteen => Columns::Fifteen,
            Form::Seventeen => Columns::Seventeen,
        };
        write_csv(&passes, columns, &self.output_file, self.report, text)
    }
}

fn text(report: &ExportReport, csv: &Path, out: &mut Vec<String>) {
    for source in &report.sources {
        out.push(format!("{}: {} rows from {}", source.pass, source.rows, source.sdk.display()));
    }
    out.push(format!("{} rows in {}", report.rows, csv.display()));
}

/// Exports to a file, which appears only when it is complete, or to stdout.
pub(super) fn write_csv(
    passes: &[Pass],
    columns: Columns,
    csv: &Path,
    args: ReportArgs,
    text: impl FnOnce(&ExportReport, &Path, &mut Vec<String>),
) -> anyhow::Result<()> {
    let options = ExportOptions::default().columns(columns);
    let mut progress = args.progress();
    if csv == Path::new("-") {
        if args.json {
            bail!("--json needs a file: stdout is taken by the CSV");
        }
        let mut out = Output::standard();
        let report = rocpd::export_pmc_perf(passes, options, &mut out, &mut progress)?;
        warn(&report.warnings);
        return out.finish();
    }
    let report = rocpd::export_pmc_perf_file(passes, options, csv, &mut progress)?;
    warn(&report.warnings);
    args.print(&report, |report, out| text(report, csv, out))
}
