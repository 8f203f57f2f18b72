//! Whole files: merge, export, import. Reports are JSON texts.

use std::ffi::c_char;

use rocpd_lib::{Columns, ExportOptions, MergeOptions, Pass, silent};

use crate::error::{ErrorOut, Failure, Status, guard};
use crate::raw::{self, Out, Text};

fn report<T: serde::Serialize>(out: Out<'_, *mut c_char>, report: &T) -> Result<(), Failure> {
    if let Some(place) = out {
        let text = serde_json::to_string(report)
            .map_err(|error| Failure::new(Status::Internal, error.to_string()))?;
        place.write(raw::c_text(&text).into_raw());
    }
    Ok(())
}

/// Merges a native database into the profiler's.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_merge(
    sdk: Text,
    native: Text,
    replace: i32,
    json: Out<'_, *mut c_char>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let (sdk, native) = (sdk.path("sdk")?, native.path("native")?);
        let options = MergeOptions::default().replace(replace != 0);
        report(json, &rocpd_lib::merge(&sdk, &native, options, &mut silent)?)
    })
}

/// Writes `pmc_perf.csv`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_export_pmc_perf(
    input: Text,
    native: Text,
    columns: i32,
    csv: Text,
    json: Out<'_, *mut c_char>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let (input, csv) = (input.path("input")?, csv.path("csv")?);
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
            vec![Pass::of(&input, Some(&native.path("native")?))]
        };
        let options = ExportOptions::default().columns(columns);
        report(json, &rocpd_lib::export_pmc_perf_file(&passes, options, &csv, &mut silent)?)
    })
}

/// Makes a database of a CSV file.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rocpd_import_csv(
    csv: Text,
    database: Text,
    pid: i64,
    json: Out<'_, *mut c_char>,
    error: ErrorOut<'_>,
) -> Status {
    guard(error, || {
        let (csv, database) = (csv.path("csv")?, database.path("database")?);
        report(json, &rocpd_lib::import_csv(&csv, &database, raw::number(pid), &mut silent)?)
    })
}
