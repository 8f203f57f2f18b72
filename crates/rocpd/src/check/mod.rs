//! The check that a database is what readers expect: identity, tables, views, references, JSON, numbering, ledger.

mod rows;
mod structure;

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::database::{Access, Database};
use crate::error::{Result, SqliteContext as _};
use crate::merge::{read_ledger, rows_in_range};
use crate::progress::{ProgressFn, tell};

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Readers give less than there is, or refuse some operation.
    Warning,
    /// Readers fail or give wrong results.
    Error,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// The guid it is about, where it is about one.
    pub guid: Option<String>,
    /// Its text, with the consequence.
    pub what: String,
}

/// The report of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckReport {
    /// The database.
    pub path: PathBuf,
    /// Guids looked at.
    pub guids: Vec<String>,
    /// The findings, worst first.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// True where no finding is an error.
    pub fn is_good(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }
}

/// Collects findings about one guid or the whole file.
struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, severity: Severity, guid: Option<&str>, what: impl Into<String>) {
        self.list.push(Finding { severity, guid: guid.map(str::to_owned), what: what.into() });
    }
}

/// Checks a database. Files that cannot be opened as rocpd at all are errors, everything else is a finding.
///
/// # Errors
/// The errors of [`Database::open`]; [`Error::Corrupt`](crate::Error::Corrupt) where pages cannot be read.
pub fn check(path: &Path, progress: &mut ProgressFn<'_>) -> Result<CheckReport> {
    let db = Database::open(path, Access::Read)?;
    let mut findings = Findings { list: Vec::new() };
    let total = db.guids().len() as u64 + 1;
    tell(progress, "check", 0, Some(total))?;
    pages(&db, &mut findings)?;
    structure::check(&db, &mut findings)?;
    for (index, tables) in db.guids().iter().enumerate() {
        tell(progress, "check", index as u64 + 1, Some(total))?;
        // Queries over tables that lack columns would only fail.
        if structure::check_guid(&db, tables, &mut findings)? {
            rows::check(&db, tables, &mut findings)?;
            ledger(&db, tables, &mut findings)?;
        }
    }
    tell(progress, "check", total, Some(total))?;
    findings.list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let guids = db.guids().iter().map(|tables| tables.guid.clone()).collect();
    Ok(CheckReport { path: path.to_path_buf(), guids, findings: findings.list })
}

/// SQLite's own check of the pages.
fn pages(db: &Database, findings: &mut Findings) -> Result<()> {
    let doing = "check the pages";
    let mut statement = db.connection.prepare("PRAGMA quick_check(20)").at(db.path(), doing)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0)).at(db.path(), doing)?;
    for line in lines {
        let line = line.at(db.path(), doing)?;
        if line != "ok" {
            findings.add(Severity::Error, None, format!("SQLite: {line}"));
        }
    }
    Ok(())
}

/// Ledger rows and the values that they speak of.
fn ledger(db: &Database, tables: &crate::database::GuidTables, findings: &mut Findings) -> Result<()> {
    let guid = Some(tables.guid.as_str());
    let entries = match read_ledger(tables, db.path()) {
        Ok(entries) => entries,
        Err(error) => {
            findings.add(Severity::Error, guid, error.to_string());
            return Ok(());
        }
    };
    for entry in entries {
        let found = rows_in_range(&db.connection, tables, &entry, db.path())?;
        if found != entry.rows {
            let what = format!(
                "the merge ledger says {} values of native guid {}, {found} are there: merge again with replace",
                entry.rows, entry.native_guid
            );
            findings.add(Severity::Error, guid, what);
        }
    }
    Ok(())
}
