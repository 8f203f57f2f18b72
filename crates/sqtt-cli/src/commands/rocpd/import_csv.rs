//! `sqtt rocpd import-csv`.

use std::path::PathBuf;

use clap::Args;

use super::report::ReportArgs;
use sqtt_files::folder_of;

/// Makes a database of a counter tool's CSV file.
///
/// Values in such files were rounded to six digits when they were written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    sqtt rocpd import-csv 4711_native_counter_collection.csv.gz\n  \
    sqtt rocpd import-csv counters.csv --pid 4711 -o native.db\n\n\
    Exit status: 0 when the database is complete, 1 when there is none, 2 for wrong arguments.")]
pub(super) struct ImportCsv {
    /// The file, <pid>_native_counter_collection.csv or .csv.gz
    #[arg(value_name = "CSV")]
    csv: PathBuf,
    /// The database to write; by default the CSV's name with .db
    #[arg(short, long, value_name = "DB")]
    output_file: Option<PathBuf>,
    /// The process id, where the file's name does not start with it
    #[arg(long, value_name = "PID")]
    pid: Option<i64>,
    #[command(flatten)]
    report: ReportArgs,
}

impl ImportCsv {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let output_file = self.output_file.clone().unwrap_or_else(|| {
            let name =
                self.csv.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let stem = name.trim_end_matches(".gz").trim_end_matches(".csv");
            self.csv.with_file_name(format!("{stem}.db"))
        });
        folder_of(&output_file)?;
        let mut progress = self.report.progress();
        let report = rocpd::import_csv(&self.csv, &output_file, self.pid, &mut progress)?;
        self.report.print(&report, |report, out| {
            out.push(format!(
                "{} counter values of process {} in {}",
                report.rows,
                report.pid,
                report.output.display()
            ));
        })
    }
}
