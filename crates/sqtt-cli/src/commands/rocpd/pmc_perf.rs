//! `sqtt rocpd pmc-perf`.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use rocpd::{Columns, ExportOptions, ExportReport, Pass};

use super::output::{Output, ignore_closed_pipe};
use crate::whole_file::WholeFile;

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
    output: Output,
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
        write_csv(&passes, columns, &self.output_file, self.output, text)
    }
}

fn text(report: &ExportReport, csv: &Path, out: &mut dyn Write) -> std::io::Result<()> {
    for source in &report.sources {
        writeln!(out, "{}: {} rows from {}", source.pass, source.rows, source.sdk.display())?;
    }
    writeln!(out, "{} rows in {}", report.rows, csv.display())
}

/// Exports to a file, which appears only when it is complete, or to stdout.
pub(super) fn write_csv(
    passes: &[Pass],
    columns: Columns,
    csv: &Path,
    output: Output,
    text: impl FnOnce(&ExportReport, &Path, &mut dyn Write) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let options = ExportOptions { columns, ..ExportOptions::default() };
    let mut progress = output.progress();
    if csv == Path::new("-") {
        if output.json {
            bail!("--json needs a file: stdout is taken by the CSV");
        }
        let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        let result = rocpd::export_pmc_perf(passes, options, &mut out, &mut progress);
        return match result {
            Ok(report) => {
                warn(&report);
                ignore_closed_pipe(out.flush()).context("stdout")
            }
            Err(rocpd::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(error.into()),
        };
    }
    let mut out = WholeFile::create(csv)?;
    let report = rocpd::export_pmc_perf(passes, options, &mut out, &mut progress)?;
    out.finish()?;
    warn(&report);
    output.report(&report, |report, out| text(report, csv, out))
}

fn warn(report: &ExportReport) {
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
}
