//! The file that a writer fills: written under another name, given its own when it is finished.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Params};

use crate::builders::options;
use crate::error::{Error, Result, SqliteContext as _};
use crate::guid::Guid;
use crate::schema::{self, SchemaVersion};

options! {
    /// Options of [`Storage::create`].
    StorageOptions {
        /// The schema version to write.
        version: SchemaVersion = SchemaVersion::default(),
        /// Rows per transaction. Memory does not grow with it: SQLite spills pages of open transactions.
        rows_per_transaction: u64 = 1 << 18,
        /// Called when a storage is dropped without [`Storage::finish`]. The default does nothing: the rows stay in
        /// the partial file, and the wanted name stays free.
        on_unfinished: fn(&Unfinished<'_>) = |_| {},
    }
}

/// A file that was given up before it was finished.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unfinished<'a> {
    /// The name the file would have had.
    pub path: &'a Path,
    /// The file with its rows. It has no identity rows, so no reader takes it for a database of its own.
    pub partial: &'a Path,
    /// Rows written so far.
    pub rows: u64,
}

/// A rocpd database that is being written.
///
/// Rows go to `<name>.<n>.partial` beside the wanted name. [`finish`](Self::finish) adds the identity rows
/// (`rocpd_metadata`), syncs and then links the file to its name. Until then no file of that name exists, and
/// what exists is refused by every reader: an unfinished file cannot pass for a finished one, even when
/// somebody renames it. That also makes a rollback journal on disk needless: a crash loses the partial file,
/// not a database.
#[derive(Debug)]
#[must_use = "the file takes its place when it is finished"]
pub struct Storage {
    connection: Option<Connection>,
    path: PathBuf,
    partial: PathBuf,
    guid: Guid,
    options: StorageOptions,
    pending: u64,
    rows: u64,
    poisoned: Option<String>,
}

impl Storage {
    /// Starts a database that will be called `path`.
    ///
    /// # Errors
    /// [`Error::Exists`] when there is such a file, [`Error::Io`] and [`Error::Sqlite`] when the folder
    /// cannot be written.
    pub fn create(path: &Path, guid: Guid, options: StorageOptions) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: path.to_path_buf() });
        }
        let partial = reserve_partial(path)?;
        let mut storage = Self {
            connection: None,
            path: path.to_path_buf(),
            partial,
            guid,
            options,
            pending: 0,
            rows: 0,
            poisoned: None,
        };
        match storage.open() {
            Ok(connection) => storage.connection = Some(connection),
            Err(error) => {
                let _ = fs::remove_file(&storage.partial);
                return Err(error);
            }
        }
        Ok(storage)
    }

    fn open(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.partial, flags).at(&self.path, "open")?;
        connection.set_prepared_statement_cache_capacity(64);
        // References are checked before each insert, by name, so SQLite need not check them again.
        connection
            .execute_batch(
                "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
                 PRAGMA cache_size = -16384;",
            )
            .at(&self.path, "set up")?;
        let mode: String = connection
            .query_row("PRAGMA journal_mode = MEMORY", [], |row| row.get(0))
            .at(&self.path, "set the journal mode")?;
        if mode != "memory" {
            return Err(Error::invalid("journal mode", &mode, "SQLite was asked for \"memory\""));
        }
        connection
            .execute_batch(&schema::table_ddl(self.options.version, &self.guid))
            .at(&self.path, "create the tables")?;
        connection.execute_batch(schema::DATA_VIEWS).at(&self.path, "create the views")?;
        connection.execute_batch("BEGIN").at(&self.path, "begin")?;
        Ok(connection)
    }

    /// The name the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that holds the rows until the database is finished.
    pub fn partial_path(&self) -> &Path {
        &self.partial
    }

    /// The identity of the rows.
    pub fn guid(&self) -> &Guid {
        &self.guid
    }

    /// The schema version being written.
    pub fn version(&self) -> SchemaVersion {
        self.options.version
    }

    /// Rows inserted so far, over all tables.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The SQL that inserts `rows` rows of `columns` into the table `rocpd_<table>`. The column `guid` is left
    /// to its default, which is this file's guid.
    pub(crate) fn insert_sql(&self, table: &str, columns: &[&str], rows: usize) -> String {
        let names: Vec<String> = columns.iter().map(|name| schema::quoted(name)).collect();
        let marks = format!("({})", vec!["?"; columns.len()].join(","));
        format!(
            "INSERT INTO {} ({}) VALUES {}",
            schema::quoted(&format!("rocpd_{table}{}", self.guid.suffix())),
            names.join(","),
            vec![marks.as_str(); rows].join(",")
        )
    }

    fn usable(&self) -> Result<&Connection> {
        let reason = match (&self.poisoned, &self.connection) {
            (None, Some(connection)) => return Ok(connection),
            (Some(reason), _) => reason.clone(),
            (None, None) => "it is finished".to_owned(),
        };
        Err(Error::Poisoned { path: self.path.clone(), reason })
    }

    /// Runs one prepared insert of `rows` rows.
    pub(crate) fn insert(&mut self, sql: &str, rows: u64, params: impl Params) -> Result<()> {
        self.insert_with(sql, rows, |statement| statement.execute(params).map(drop))
    }

    /// Inserts like [`insert`](Self::insert), with a closure that binds and runs.
    pub(crate) fn insert_with(
        &mut self,
        sql: &str,
        rows: u64,
        run: impl FnOnce(&mut rusqlite::CachedStatement<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        let connection = self.usable()?;
        let result = connection.prepare_cached(sql).and_then(|mut statement| run(&mut statement));
        self.guarded(result, "insert")?;
        self.rows += rows;
        self.pending += rows;
        if self.pending >= self.options.rows_per_transaction {
            self.pending = 0;
            let result = self.usable()?.execute_batch("COMMIT; BEGIN");
            self.guarded(result, "commit")?;
        }
        Ok(())
    }

    /// After an error of SQLite (a full disk, say) rows may be missing: the file must not be finished.
    fn guarded(&mut self, result: rusqlite::Result<()>, doing: &str) -> Result<()> {
        result.at(&self.path, doing).inspect_err(|error| self.poisoned = Some(error.to_string()))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`Error::Exists`] when a file of that name has appeared, [`Error::Poisoned`] after a failed insert,
    /// [`Error::Io`] and [`Error::Sqlite`] from the disk. The partial file then stays where it is.
    pub fn finish(mut self) -> Result<()> {
        let sql = self.insert_sql("metadata", &["tag", "value"], 1);
        for (tag, value) in schema::metadata_rows(self.options.version, &self.guid) {
            self.insert(&sql, 1, (tag, value))?;
        }
        let table = schema::quoted(&format!("rocpd_metadata{}", self.guid.suffix()));
        let created =
            format!("INSERT INTO {table} (tag, value) VALUES ('schema_creation_time', CURRENT_TIMESTAMP)");
        self.insert(&created, 1, [])?;
        let connection = self.usable()?;
        connection.flush_prepared_statement_cache();
        let result = connection.execute_batch("COMMIT; PRAGMA journal_mode = DELETE;");
        self.guarded(result, "commit")?;
        if let Some(connection) = self.connection.take()
            && let Err((connection, source)) = connection.close()
        {
            self.connection = Some(connection);
            return Err(source).at(&self.path, "close");
        }
        let published = self.publish();
        if published.is_err() {
            (self.options.on_unfinished)(&self.unfinished());
        }
        published
    }

    fn publish(&self) -> Result<()> {
        let file = fs::File::open(&self.partial).map_err(Error::io(&self.partial, "open"))?;
        file.sync_all().map_err(Error::io(&self.partial, "sync"))?;
        match fs::hard_link(&self.partial, &self.path) {
            Ok(()) => fs::remove_file(&self.partial).map_err(Error::io(&self.partial, "remove"))?,
            Err(source) if source.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(Error::Exists { path: self.path.clone() });
            }
            // File systems without hard links: a rename, which would replace a file that appears just now.
            Err(_) => {
                if self.path.symlink_metadata().is_ok() {
                    return Err(Error::Exists { path: self.path.clone() });
                }
                fs::rename(&self.partial, &self.path).map_err(Error::io(&self.path, "rename to"))?;
            }
        }
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty())
            && let Ok(folder) = fs::File::open(folder)
        {
            // Not all file systems can sync a folder; the file itself is safe already.
            let _ = folder.sync_all();
        }
        Ok(())
    }

    /// Throws the rows away, on purpose and without a report.
    pub fn discard(mut self) {
        self.connection = None;
        let _ = fs::remove_file(&self.partial);
    }

    fn unfinished(&self) -> Unfinished<'_> {
        Unfinished { path: &self.path, partial: &self.partial, rows: self.rows }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.flush_prepared_statement_cache();
            // What was inserted is kept for who wants to look at it; it has no identity rows.
            let _ = connection.execute_batch("COMMIT");
            drop(connection);
            (self.options.on_unfinished)(&self.unfinished());
        }
    }
}

/// Creates an empty `<name>.<n>.partial`, with the first `n` that is free: what a crashed run left behind is
/// not touched.
fn reserve_partial(path: &Path) -> Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(Error::invalid("path", &path.to_string_lossy(), "the name of a file"));
    };
    let mut number = 0_u32;
    loop {
        let mut candidate = name.to_os_string();
        candidate.push(format!(".{number}.partial"));
        let candidate = path.with_file_name(candidate);
        match fs::OpenOptions::new().write(true).create_new(true).open(&candidate) {
            Ok(_) => return Ok(candidate),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 10_000 => number += 1,
            Err(error) => return Err(Error::io(&candidate, "create")(error)),
        }
    }
}
