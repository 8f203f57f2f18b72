//! Errors as types: each says what, where and what would be right. The system's and SQLite's own reasons are
//! not in the text but in [`std::error::Error::source`].

use std::path::{Path, PathBuf};

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything this crate reports as an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file operation failed.
    #[error("{}: {doing}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The step that failed, for example `create`.
        doing: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// SQLite refused something that no other variant describes.
    #[error("{}: {doing}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// The step that failed.
        doing: String,
        /// SQLite's reason.
        source: rusqlite::Error,
    },
    /// The file has no bytes.
    #[error("{}: the file is empty, a rocpd database was expected", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is not an SQLite database.
    #[error("{}: not an SQLite database (its first bytes are not \"SQLite format 3\")", path.display())]
    NotSqlite {
        /// The file.
        path: PathBuf,
    },
    /// Another process holds a lock.
    #[error("{}: {doing}: the database is locked by another process; retry when that one is done", path.display())]
    Locked {
        /// The database.
        path: PathBuf,
        /// The step that failed.
        doing: String,
    },
    /// The database's pages contradict each other.
    #[error("{}: {doing}: the database is corrupt ({detail})", path.display())]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// The step that failed.
        doing: String,
        /// SQLite's description.
        detail: String,
    },
    /// An SQLite database, but not one that follows the rocpd schema.
    #[error("{}: not a complete rocpd database: {problem}", path.display())]
    Schema {
        /// The database.
        path: PathBuf,
        /// The missing or wrong part.
        problem: String,
    },
    /// The schema's major version is not 3.
    #[error("{}: schema version {found:?}: only schema 3 (3.0.x) is understood", path.display())]
    SchemaVersion {
        /// The database.
        path: PathBuf,
        /// The version as the file gives it.
        found: String,
    },
    /// The tables are there, but the writer never finished the file.
    #[error("{}: the writer did not finish this file: it has rocpd tables but no identity (rocpd_metadata is empty)", path.display())]
    Unfinished {
        /// The file.
        path: PathBuf,
    },
    /// The file to be written is there already.
    #[error("{}: the file exists; it is not overwritten", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The rows of an export cannot be written.
    #[error("the rows cannot be written")]
    Write {
        /// The writer's reason.
        source: std::io::Error,
    },
    /// An output file cannot be written.
    #[error(transparent)]
    Output(#[from] sqtt_files::OutputError),
    /// A row refers to something that was not registered.
    #[error("{what} {id} is not registered: register it before rows refer to it")]
    Unregistered {
        /// The kind of row, for example `agent`.
        what: &'static str,
        /// The id that was given.
        id: i64,
    },
    /// Something was registered twice with different contents.
    #[error("{what} {id} is registered already, with other values")]
    Conflict {
        /// The kind of row.
        what: &'static str,
        /// Its id or name.
        id: String,
    },
    /// A value that the schema does not allow.
    #[error("{what}: {value} is not valid: {expected}")]
    Invalid {
        /// The field.
        what: &'static str,
        /// The value given (shortened).
        value: String,
        /// A right value.
        expected: &'static str,
    },
    /// More than one answer where there must be one.
    #[error("{}: ambiguous: {detail}", path.display())]
    Ambiguous {
        /// The database.
        path: PathBuf,
        /// The ambiguous thing, and the rows it could be.
        detail: String,
    },
    /// The merge's target holds counter values that no ledger row accounts for.
    #[error(
        "{}: guid {guid} already holds {rows} counter values that no merge ledger accounts for; \
         merging would add to them: merge into a database without counter values", path.display())]
    UnknownOrigin {
        /// The target.
        path: PathBuf,
        /// The guid whose table holds them.
        guid: String,
        /// The number of values.
        rows: u64,
    },
    /// The ledger and the rows contradict each other.
    #[error("{}: {problem}", path.display())]
    Ledger {
        /// The target.
        path: PathBuf,
        /// The contradiction, and the way out.
        problem: String,
    },
    /// A merge in which no counter value finds its place.
    #[error("{}: none of {rows} counter values of {} finds its dispatch and counter: {hint}",
        sdk.display(), native.display())]
    NothingMatched {
        /// The target.
        sdk: PathBuf,
        /// The database with the counter values.
        native: PathBuf,
        /// The counter values in it.
        rows: u64,
        /// The step at which the values failed.
        hint: String,
    },
    /// A line of a CSV file is wrong.
    #[error("{}:{line}: {problem}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The fault, and a right form.
        problem: String,
    },
    /// The folder does not look like a workload's output.
    #[error("{}: {problem}", path.display())]
    Layout {
        /// The folder or file.
        path: PathBuf,
        /// The layout that was looked for.
        problem: String,
    },
    /// The progress callback asked to stop.
    #[error("stopped on request; nothing was changed")]
    Stopped,
    /// A writer was used after a failure that left its file useless.
    #[error("{}: an earlier error made this writer useless: {reason}", path.display())]
    Poisoned {
        /// The file being written.
        path: PathBuf,
        /// The earlier error.
        reason: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, doing, source }
    }

    pub(crate) fn schema(path: &Path, problem: impl Into<String>) -> Self {
        Self::Schema { path: path.to_path_buf(), problem: problem.into() }
    }

    pub(crate) fn ambiguous(path: &Path, detail: impl Into<String>) -> Self {
        Self::Ambiguous { path: path.to_path_buf(), detail: detail.into() }
    }

    /// An invalid value, with the value shortened so that a message stays a line.
    pub(crate) fn invalid(what: &'static str, value: &str, expected: &'static str) -> Self {
        let mut value: String = value.chars().take(80).collect();
        value = format!("{value:?}");
        Self::Invalid { what, value, expected }
    }
}

/// Gives SQLite's errors a file and an activity.
pub(crate) trait SqliteContext<T> {
    /// Says which file and what was being done.
    fn at(self, path: &Path, doing: &str) -> Result<T>;
}

impl<T> SqliteContext<T> for std::result::Result<T, rusqlite::Error> {
    fn at(self, path: &Path, doing: &str) -> Result<T> {
        self.map_err(|source| classify(source, path, doing))
    }
}

fn classify(source: rusqlite::Error, path: &Path, doing: &str) -> Error {
    use rusqlite::ErrorCode as Code;
    let (path, doing) = (path.to_path_buf(), doing.to_owned());
    match source.sqlite_error_code() {
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => Error::Locked { path, doing },
        Some(Code::NotADatabase) => Error::NotSqlite { path },
        Some(Code::DatabaseCorrupt) => Error::Corrupt { path, doing, detail: source.to_string() },
        Some(Code::OperationInterrupted) => Error::Stopped,
        _ => Error::Sqlite { path, doing, source },
    }
}
