//! Whole files: merge, export, import. Reports are JSON texts.

use std::ffi::c_char;

use rocpd_lib::{Columns, ExportOptions, MergeOptions, Pass, silent};

use crate::error::{Failure, RocpdError, Status, guard};
use crate::raw;

fn report<T: serde::Serialize>(out: *mut *mut c_char, report: &T) -> Result<(), Failure> {
    if !out.is_null() {
        let text = serde_json::to_string(report)
            .map_err(|error| Failure::new(Status::Internal, error.to_string()))?;
        raw::store(out, raw::give_text(&text));
    }
    Ok(())
}

/// Merges a native database into the profiler's.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_merge(
    sdk: *const c_char,
    native: *const c_char,
    replace: i32,
    json: *mut *mut c_char,
    error: *mut *mut RocpdError,
) -> Status {
    guard(error, || {
        let (sdk, native) = (raw::path(sdk, "sdk")?, raw::path(native, "native")?);
        let options = MergeOptions { replace: replace != 0, ..MergeOptions::default() };
        report(json, &rocpd_lib::merge(&sdk, &native, options, &mut silent)?)
    })
}

/// Writes `pmc_perf.csv`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_export_pmc_perf(
    input: *const c_char,
    native: *const c_char,
    columns: i32,
    csv: *const c_char,
    json: *mut *mut c_char,
    error: *mut *mut RocpdError,
) -> Status {
    guard(error, || {
        let (input, csv) = (raw::path(input, "input")?, raw::path(csv, "csv")?);
        let columns = match columns {
            15 => Columns::Fifteen,
            17 => Columns::Seventeen,
            other => {
                return Err(Failure::new(Status::InvalidArgument, format!("columns is {other}: 15 or 17")));
            }
        };
        let passes = if native.is_null() {
            rocpd_lib::find_passes(&input)?
        } else {
            vec![Pass::of(&input, Some(&raw::path(native, "native")?))]
        };
        let options = ExportOptions { columns, ..ExportOptions::default() };
        report(json, &rocpd_lib::export_pmc_perf_file(&passes, options, &csv, &mut silent)?)
    })
}

/// Makes a database of a CSV file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_import_csv(
    csv: *const c_char,
    database: *const c_char,
    pid: i64,
    json: *mut *mut c_char,
    error: *mut *mut RocpdError,
) -> Status {
    guard(error, || {
        let (csv, database) = (raw::path(csv, "csv")?, raw::path(database, "database")?);
        report(json, &rocpd_lib::import_csv(&csv, &database, raw::number(pid), &mut silent)?)
    })
}
