//! Tables, views and names.

use super::{Findings, Severity};
use crate::database::{Database, GuidTables, columns_of};
use crate::error::{Result, SqliteContext as _};
use crate::schema::{self, TABLES, quoted};

/// Checks what concerns the whole file.
pub(super) fn check(db: &Database, findings: &mut Findings) -> Result<()> {
    for table in TABLES {
        base_view(db, table.name, findings)?;
    }
    for view in schema::data_view_names() {
        if let Err(error) = db.connection.prepare(&format!("SELECT * FROM main.{}", quoted(view))) {
            let severity = if view == "counters_collection" { Severity::Error } else { Severity::Warning };
            findings.add(severity, None, format!("view {view} cannot be read: {error}"));
        }
    }
    let mut versions: Vec<&str> = db.guids().iter().map(|tables| tables.version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    if versions.len() > 1 {
        let what = format!(
            "schema versions differ ({}): other tools refuse to merge such files",
            versions.join(", ")
        );
        findings.add(Severity::Warning, None, what);
    }
    let mode: String = db
        .connection
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .at(db.path(), "read the journal mode")?;
    if mode == "wal" {
        let what = "the file is in WAL mode: readers need write access to its folder";
        findings.add(Severity::Warning, None, what);
    }
    Ok(())
}

/// A base-name view is `rocpd_X` over the tables of all guids.
fn base_view(db: &Database, name: &str, findings: &mut Findings) -> Result<()> {
    let view = format!("rocpd_{name}");
    let sql: rusqlite::Result<Option<String>> = db.connection.query_row(
        "SELECT sql FROM main.sqlite_master WHERE type = 'view' AND name = ?1",
        [&view],
        |row| row.get(0),
    );
    let sql = match sql {
        Ok(sql) => sql.unwrap_or_default(),
        Err(rusqlite::Error::QueryReturnedNoRows) => {
            findings.add(Severity::Error, None, format!("the view {view} is missing"));
            return Ok(());
        }
        Err(error) => return Err(error).at(db.path(), "read the list of views"),
    };
    if let Err(error) = db.connection.prepare(&format!("SELECT * FROM main.{}", quoted(&view))) {
        findings.add(Severity::Error, None, format!("the view {view} cannot be read: {error}"));
    }
    for tables in db.guids() {
        if !sql.contains(&format!("{view}{}", tables.suffix)) {
            let what = format!("the view {view} does not read {view}{}", tables.suffix);
            findings.add(Severity::Error, Some(&tables.guid), what);
        }
    }
    Ok(())
}

/// Checks the tables of a guid; says whether all are there with their columns.
pub(super) fn check_guid(db: &Database, tables: &GuidTables, findings: &mut Findings) -> Result<bool> {
    let guid = Some(tables.guid.as_str());
    let mut complete = true;
    for table in TABLES {
        let name = format!("rocpd_{}{}", table.name, tables.suffix);
        let found = columns_of(&db.connection, "main", &name, db.path())?;
        if found.is_empty() {
            findings.add(Severity::Error, guid, format!("table {name} is missing"));
            complete = false;
            continue;
        }
        let common =
            ["id"].into_iter().chain(table.guid.then_some("guid")).chain(table.extdata.map(|_| "extdata"));
        for column in common.chain(table.columns.iter().map(|column| column.name)) {
            if !found.iter().any(|name| name == column) {
                findings.add(Severity::Error, guid, format!("table {name} has no column {column}"));
                complete = false;
            }
        }
    }
    if tables.suffix != format!("_{}", tables.guid.replace('-', "_")) {
        let what = format!(
            "the tables' suffix {} is not made from the guid: tools that rebuild the one from the \
                            other fail",
            tables.suffix
        );
        findings.add(Severity::Warning, guid, what);
    }
    for name in crate::info::tables_of(db, tables)? {
        let known = TABLES.iter().any(|table| table.name == name);
        if !known && TABLES.iter().any(|table| name.starts_with(&format!("{}_", table.name))) {
            let what = format!(
                "table rocpd_{name}{} starts with the name of another: tools that collect tables by the start of \
                 their name mix the two up",
                tables.suffix
            );
            findings.add(Severity::Warning, guid, what);
        }
    }
    Ok(complete)
}
