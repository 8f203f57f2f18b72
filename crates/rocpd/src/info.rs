//! The contents of a database: schema, guids, processes, row counts, merges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::database::{Access, Database, GuidTables};
use crate::error::{Error, Result, SqliteContext as _};
use crate::merge::{MergeLedgerEntry, read_ledger};
use crate::schema::quoted;

/// A database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// SQLite's journal mode, for example `delete` or `wal`.
    pub journal_mode: String,
    /// Its guids.
    pub guids: Vec<GuidInfo>,
}

/// The rows of one guid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GuidInfo {
    /// The guid.
    pub guid: String,
    /// The end of its tables' names.
    pub suffix: String,
    /// Its schema version.
    pub schema_version: String,
    /// Its processes.
    pub processes: Vec<ProcessRow>,
    /// Rows by table, without prefix and suffix; tables that this crate does not know are among them.
    pub rows: BTreeMap<String, u64>,
    /// The merges into it.
    pub merges: Vec<Merged>,
}

/// A process, as the database describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ProcessRow {
    /// The operating system's id.
    pub pid: i64,
    /// The parent's.
    pub ppid: Option<i64>,
    /// The machine's name.
    pub hostname: Option<String>,
    /// When it started, in nanoseconds.
    pub start: Option<i64>,
    /// When its tool was finalised.
    pub fini: Option<i64>,
    /// Its command line.
    pub command: Option<String>,
}

/// A row of the merge ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Merged {
    /// The guid that the rows came from.
    pub native_guid: String,
    /// The number of the rows, and their keys.
    #[serde(flatten)]
    pub entry: MergeLedgerEntry,
}

/// Reads what a database holds.
///
/// # Errors
/// The errors of [`Database::open`].
pub fn info(path: &Path) -> Result<Info> {
    let db = Database::open(path, Access::Read)?;
    let bytes = std::fs::metadata(path).map_err(Error::io(path, "read"))?.len();
    let journal_mode = db
        .connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .at(path, "read the journal mode")?;
    let guids = db.guids().iter().map(|tables| guid_info(&db, tables)).collect::<Result<_>>()?;
    Ok(Info { path: path.to_path_buf(), bytes, journal_mode, guids })
}

fn guid_info(db: &Database, tables: &GuidTables) -> Result<GuidInfo> {
    let mut rows = BTreeMap::new();
    for name in tables_of(db, tables)? {
        let sql = format!("SELECT count(*) FROM main.{}", quoted(&format!("rocpd_{name}{}", tables.suffix)));
        let count: i64 = db.connection.query_row(&sql, [], |row| row.get(0)).at(db.path(), "count rows")?;
        rows.insert(name, count.cast_unsigned());
    }
    let merges = read_ledger(tables, db.path())?
        .into_iter()
        .map(|entry| Merged { native_guid: entry.native_guid.clone(), entry })
        .collect();
    Ok(GuidInfo {
        guid: tables.guid.clone(),
        suffix: tables.suffix.clone(),
        schema_version: tables.version.clone(),
        processes: processes(db, tables)?,
        rows,
        merges,
    })
}

/// The names of a guid's tables, without prefix and suffix.
pub(crate) fn tables_of(db: &Database, tables: &GuidTables) -> Result<Vec<String>> {
    let doing = "read the list of tables";
    let mut statement = db
        .connection
        .prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name")
        .at(db.path(), doing)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0)).at(db.path(), doing)?;
    let mut found = Vec::new();
    for name in names {
        let name = name.at(db.path(), doing)?;
        let inner = name.strip_prefix("rocpd_").and_then(|name| name.strip_suffix(tables.suffix.as_str()));
        found.extend(inner.map(str::to_owned));
    }
    Ok(found)
}

fn processes(db: &Database, tables: &GuidTables) -> Result<Vec<ProcessRow>> {
    db.require(
        "main",
        db.path(),
        tables,
        &[
            ("info_process", &["id", "nid", "pid", "ppid", "start", "fini", "command"]),
            ("info_node", &["id", "hostname"]),
        ],
    )?;
    let sql = format!(
        "SELECT P.pid, P.ppid, N.hostname, P.start, P.fini, P.command FROM {} P LEFT JOIN {} N ON N.id = P.nid \
         ORDER BY P.id",
        tables.table("main", "info_process"),
        tables.table("main", "info_node")
    );
    let doing = "read the processes";
    let mut statement = db.connection.prepare(&sql).at(db.path(), doing)?;
    let rows = statement
        .query_map([], |row| {
            Ok(ProcessRow {
                pid: row.get(0)?,
                ppid: row.get(1)?,
                hostname: row.get(2)?,
                start: row.get(3)?,
                fini: row.get(4)?,
                command: row.get(5)?,
            })
        })
        .at(db.path(), doing)?;
    rows.collect::<rusqlite::Result<_>>().at(db.path(), doing)
}
