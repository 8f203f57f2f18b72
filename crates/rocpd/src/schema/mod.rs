//! Schema 3.0.x: tables, base-name views and data views.

mod tables;

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::guid::Guid;

pub use tables::{Column, TABLES, Table};

/// The data views; they read the base-name views only, so one text serves every guid.
pub const DATA_VIEWS: &str = include_str!("views.sql");

/// A schema version that this crate writes.
///
/// Newer 3.0.x files (3.0.2 to 3.0.5 add columns and tables of other features) are read, not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SchemaVersion {
    /// The first: agents are CPU or GPU. Files of 2025 spell it `3`.
    V3_0_0,
    /// Adds NIC agents; what profiler-hub writes.
    #[default]
    V3_0_1,
}

impl SchemaVersion {
    /// The text of the metadata tag `schema_version`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V3_0_0 => "3.0.0",
            Self::V3_0_1 => "3.0.1",
        }
    }

    /// Takes a version's text; empty and all-zero mean the newest that is written.
    ///
    /// # Errors
    /// [`Error::Invalid`] for versions that this crate does not write.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            "3" | "3.0" | "3.0.0" => Ok(Self::V3_0_0),
            "" | "0" | "0.0.0" | "3.0.1" => Ok(Self::V3_0_1),
            _ => Err(Error::invalid("schema version", text, "3.0.0 or 3.0.1 (0.0.0 means the newest)")),
        }
    }

    /// The agent types (and counter target architectures) that the version's checks allow.
    pub fn agent_types(self) -> &'static [&'static str] {
        match self {
            Self::V3_0_0 => &["CPU", "GPU"],
            Self::V3_0_1 => &["CPU", "GPU", "NIC"],
        }
    }
}

/// The major version of a `schema_version` text: what stands before the first dot.
///
/// Files exist whose `schema_version_major` row holds an unfilled template, so only this tag counts.
pub fn major_version(text: &str) -> Option<u32> {
    text.split('.').next()?.trim().parse().ok()
}

/// Quotes an identifier for SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Quotes a text for SQL.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The DDL of all tables and base-name views of one guid. Running it twice is harmless.
pub fn table_ddl(version: SchemaVersion, guid: &Guid) -> String {
    let suffix = guid.suffix();
    let types: Vec<String> = version.agent_types().iter().map(|t| literal(t)).collect();
    let types = types.join(", ");
    let mut ddl = String::new();
    for table in TABLES {
        let mut lines = vec!["\"id\" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT".to_owned()];
        if table.guid {
            lines.push(format!("\"guid\" TEXT DEFAULT {} NOT NULL", literal(guid.as_str())));
        }
        lines.extend(table.columns.iter().map(|column| {
            format!("{} {}", quoted(column.name), column.sql.replace("{agent_types}", &types))
        }));
        lines.extend(table.extdata.map(|sql| format!("\"extdata\" {sql}")));
        lines.extend(table.columns.iter().filter_map(|column| {
            let target = quoted(&format!("rocpd_{}{suffix}", column.references?));
            Some(format!(
                "FOREIGN KEY ({}) REFERENCES {target} (\"id\") ON UPDATE CASCADE",
                quoted(column.name)
            ))
        }));
        let name = quoted(&format!("rocpd_{}{suffix}", table.name));
        // Writing into a String cannot fail.
        let _ = write!(ddl, "CREATE TABLE IF NOT EXISTS {name} (\n  {}\n);\n", lines.join(",\n  "));
        let _ = writeln!(ddl, "CREATE VIEW IF NOT EXISTS \"rocpd_{}\" AS SELECT * FROM {name};", table.name);
    }
    ddl
}

/// The metadata rows of a finished file, in order. The creation time is SQLite's to fill in.
pub fn metadata_rows(version: SchemaVersion, guid: &Guid) -> Vec<(&'static str, String)> {
    let text = version.as_str();
    let mut parts = text.split('.').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_default();
    vec![
        ("schema_version", text.to_owned()),
        ("schema_version_major", part()),
        ("schema_version_minor", part()),
        ("schema_version_patch", part()),
        ("uuid", guid.suffix()),
        ("guid", guid.as_str().to_owned()),
    ]
}

/// The names of the data views, in order of creation.
pub fn data_view_names() -> impl Iterator<Item = &'static str> {
    DATA_VIEWS.lines().filter_map(|line| line.strip_prefix("CREATE VIEW IF NOT EXISTS ")?.strip_suffix(" AS"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (text, major) in
            [("3", Some(3)), ("3.0.5", Some(3)), ("4.1.0", Some(4)), ("{{x}}", None), ("", None)]
        {
            assert_eq!(major_version(text), major, "{text}");
        }
        assert_eq!(SchemaVersion::parse("0.0.0").unwrap(), SchemaVersion::default());
        assert!(SchemaVersion::parse("4.0.0").is_err());
    }

    #[test]
    fn creating_twice_is_harmless_and_everything_is_there() {
        let db = rusqlite::Connection::open_in_memory().unwrap();
        let guid = Guid::random();
        for _ in 0..2 {
            db.execute_batch(&table_ddl(SchemaVersion::default(), &guid)).unwrap();
            db.execute_batch(DATA_VIEWS).unwrap();
        }
        for view in
            data_view_names().map(str::to_owned).chain(TABLES.iter().map(|t| format!("rocpd_{}", t.name)))
        {
            let rows: i64 =
                db.query_row(&format!("SELECT count(*) FROM {view}"), [], |row| row.get(0)).unwrap();
            assert_eq!(rows, 0, "{view}");
        }
        assert_eq!(data_view_names().count(), 21);
    }
}
