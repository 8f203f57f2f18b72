//! Counters as `pmc_perf.csv`: one row per dispatch and counter, passes one after the other.
//!
//! The rows are those of the view `counters_collection`, in its order, with the bytes of the existing writer.
//! Reading the view takes SQLite a sort of wide rows; here the counter values alone are sorted (16 bytes
//! each), and each dispatch's columns are read once.

mod format;
mod passes;
mod rows;
mod sorter;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sqtt_files::{OutputError, WholeFile};

use crate::builders::options;
use crate::database::{Access, Database};
use crate::error::{Error, Result, SqliteContext as _};
use crate::merge::{MergeReport, ReadOnly};
use crate::progress::{ProgressFn, tell};

pub use passes::{Pass, Source, find_passes};
use rows::Places;
use sorter::Sorter;

/// The form of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Columns {
    /// The first: dispatch and kernel numbers as in the database.
    #[default]
    Fifteen,
    /// The newer: with guid and correlation id; dispatches and kernels numbered by first appearance in a pass.
    Seventeen,
}

impl Columns {
    /// The first line, without its end.
    pub fn header(self) -> &'static str {
        match self {
            Self::Fifteen => {
                "GPU_ID,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,\
                 Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value"
            }
            Self::Seventeen => {
                "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,\
                 Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,\
                 Kernel_ID,Counter_Name,Counter_Value"
            }
        }
    }
}

options! {
    /// Options of an export.
    ExportOptions {
        /// The form.
        columns: Columns = Columns::default(),
        /// Counter values kept in memory while sorting, at 16 bytes each.
        values_in_memory: usize = 1 << 21,
    }
}

/// The rows exported from one database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExportedSource {
    /// The profiler's database.
    pub sdk: PathBuf,
    /// The pass it belongs to.
    pub pass: String,
    /// Rows written.
    pub rows: u64,
    /// Dispatches that `counters_collection` leaves out (thread, kernel, agent or event missing).
    pub hidden_dispatches: u64,
    /// Counter values that hang on no dispatch or describe no counter.
    pub hidden_values: u64,
    /// The read-only merges of the native databases.
    pub merges: Vec<MergeReport>,
}

/// The report of an export.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct ExportReport {
    /// Rows below the header.
    pub rows: u64,
    /// By database.
    pub sources: Vec<ExportedSource>,
    /// Findings that are worth a look.
    pub warnings: Vec<String>,
}

/// The renumbering of the 17-column form: first-seen numbers, from 0, within a pass.
#[derive(Debug, Default)]
struct Numbers {
    kernels: HashMap<Vec<u8>, usize>,
    dispatches: HashMap<(usize, Vec<u8>), usize>,
}

impl Numbers {
    fn of(&mut self, kernel: Vec<u8>, dispatch: &[u8]) -> (usize, usize) {
        let next = self.kernels.len();
        let kernel = *self.kernels.entry(kernel).or_insert(next);
        let next = self.dispatches.len();
        let dispatch = *self.dispatches.entry((kernel, dispatch.to_vec())).or_insert(next);
        (dispatch, kernel)
    }
}

/// Writes the header and all passes. No database is changed; native databases are merged while reading.
///
/// # Errors
/// The errors of opening databases and of merging; [`Error::Write`] from `out`.
pub fn export_pmc_perf(
    passes: &[Pass],
    options: ExportOptions,
    out: &mut dyn Write,
    progress: &mut ProgressFn<'_>,
) -> Result<ExportReport> {
    let mut report = ExportReport::default();
    let header = [options.columns.header().as_bytes(), format::LINE_END].concat();
    out.write_all(&header).map_err(|source| Error::Write { source })?;
    for pass in passes {
        let mut numbers = Numbers::default();
        report.warnings.extend(pass.warnings.iter().cloned());
        for source in &pass.sources {
            let exported = export_source(source, pass, options, &mut numbers, out, progress)?;
            report.rows += exported.rows;
            warn(&exported, source, &mut report.warnings);
            report.sources.push(exported);
        }
    }
    tell(progress, "export", report.rows, Some(report.rows))?;
    Ok(report)
}

/// Exports like [`export_pmc_perf`], to a file that is there once it is complete.
///
/// # Errors
/// The errors of [`export_pmc_perf`]; [`Error::Output`], also where the file is one of the inputs.
pub fn export_pmc_perf_file(
    passes: &[Pass],
    options: ExportOptions,
    csv: &Path,
    progress: &mut ProgressFn<'_>,
) -> Result<ExportReport> {
    let sources = passes.iter().flat_map(|pass| &pass.sources);
    let inputs = sources.flat_map(|source| std::iter::once(&source.sdk).chain(&source.natives));
    sqtt_files::refuse_inputs(csv, inputs.map(PathBuf::as_path))?;
    let mut out = WholeFile::create(csv)?;
    let report = export_pmc_perf(passes, options, &mut out, progress).map_err(|error| match error {
        Error::Write { source } => OutputError::Io { path: csv.to_owned(), source }.into(),
        other => other,
    })?;
    out.finish()?;
    Ok(report)
}

fn warn(exported: &ExportedSource, source: &Source, warnings: &mut Vec<String>) {
    let name = exported.sdk.display();
    if exported.rows == 0 && source.natives.is_empty() {
        warnings.push(format!("{name}: no counter values in it, and no native counter file beside it"));
    }
    if exported.hidden_dispatches > 0 {
        warnings.push(format!(
            "{name}: {} dispatches are left out: their thread, kernel, agent or event is not described",
            exported.hidden_dispatches
        ));
    }
    if exported.hidden_values > 0 {
        warnings
            .push(format!("{name}: {} counter values belong to no dispatch shown", exported.hidden_values));
    }
    for merge in &exported.merges {
        for (reason, rows) in merge.unmatched.reasons() {
            warnings.push(format!("{}: {rows} counter values {reason}", merge.native.display()));
        }
    }
}

fn export_source(
    source: &Source,
    pass: &Pass,
    options: ExportOptions,
    numbers: &mut Numbers,
    out: &mut dyn Write,
    progress: &mut ProgressFn<'_>,
) -> Result<ExportedSource> {
    let prepared = passes::prepare_natives(source, progress)?;
    let mut db = Database::open(&source.sdk, Access::Read)?;
    // One snapshot: dispatches are read twice and must be the same both times.
    db.connection.execute_batch("BEGIN").at(&source.sdk, "begin to read")?;
    db.refresh()?;
    let mut natives = Vec::new();
    for (index, native) in prepared.paths().enumerate() {
        natives.push(ReadOnly::attach(&db, native, &format!("native{index}"))?);
    }
    let mut exported = ExportedSource {
        sdk: source.sdk.clone(),
        pass: pass.name.clone(),
        rows: 0,
        hidden_dispatches: 0,
        hidden_values: 0,
        merges: Vec::new(),
    };
    for (index, tables) in db.guids().iter().enumerate() {
        let mut places = Places::read(&db, tables)?;
        let mut sorter = Sorter::new(options.values_in_memory);
        places.put_own(&db, tables, &mut sorter, |done| tell(progress, "read", done, None))?;
        for native in &mut natives {
            let mut done = 0_u64;
            native.for_each(&db, index, |event, counter, value| {
                done += 1;
                if done.is_multiple_of(1 << 18) {
                    tell(progress, "read", done, None)?;
                }
                places
                    .put(&mut sorter, Some(event), counter, value)
                    .map_err(Error::io(&source.sdk, "sort the counter values of"))
            })?;
        }
        exported.rows += places.write(&db, tables, sorter, options.columns, numbers, out)?;
        exported.hidden_dispatches += places.hidden_dispatches;
        exported.hidden_values += places.hidden_values;
        tell(progress, "export", exported.rows, None)?;
    }
    for native in natives {
        exported.merges.push(native.finish(&db)?);
    }
    Ok(exported)
}
