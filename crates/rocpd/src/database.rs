//! Opening databases that others wrote, and finding the tables of each guid in them.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::{Error, Result, SqliteContext as _};
use crate::schema::{self, literal, quoted};

/// Most metadata rows that are read of one guid; real files have a handful.
const METADATA_ROWS: usize = 100_000;

/// The way a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// For reading: the file is not changed.
    Read,
    /// For merging into it.
    Write,
}

/// The tables of one guid in a file. Consolidated files hold several guids side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GuidTables {
    /// The guid, as `rocpd_metadata` gives it. Its form is the writer's: not always a dashed UUID.
    pub guid: String,
    /// The end of the tables' names.
    pub suffix: String,
    /// The schema version's text.
    pub version: String,
    /// All metadata rows, in order.
    pub metadata: Vec<(String, String)>,
    /// True where counter rows and samples of a stream share `rocpd_pmc_event` (3.0.3 and newer): rows with a
    /// `sample_id` are samples, and no business of counter collection.
    pub has_sample_id: bool,
}

impl GuidTables {
    /// The quoted name of a table in a schema of the connection (`main`, or the name it was attached as).
    pub(crate) fn table(&self, schema: &str, name: &str) -> String {
        format!("{schema}.{}", quoted(&format!("rocpd_{name}{}", self.suffix)))
    }

    /// A condition on `alias` that leaves only rows of counter collection, starting with `keyword`.
    pub(crate) fn counters_only(&self, keyword: &str, alias: &str) -> String {
        if self.has_sample_id { format!("{keyword} {alias}.sample_id IS NULL") } else { String::new() }
    }
}

/// An open database and its guids, sorted by guid.
#[derive(Debug)]
pub struct Database {
    pub(crate) connection: Connection,
    path: PathBuf,
    guids: Vec<GuidTables>,
}

impl Database {
    /// Opens a file and finds its guids.
    ///
    /// # Errors
    /// [`Error::Io`] (missing), [`Error::Empty`], [`Error::NotSqlite`], [`Error::Corrupt`],
    /// [`Error::Locked`], [`Error::Unfinished`], [`Error::Schema`] and [`Error::SchemaVersion`].
    pub fn open(path: &Path, access: Access) -> Result<Self> {
        Self::open_waiting(path, access, Duration::from_secs(5))
    }

    /// Opens a file like [`open`](Self::open), with the time to wait for locks of others.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_waiting(path: &Path, access: Access, wait: Duration) -> Result<Self> {
        let connection = connect(path, access, wait)?;
        let guids = find_guids(&connection, "main", path)?;
        Ok(Self { connection, path: path.to_path_buf(), guids })
    }

    /// Reads the guids again: once a transaction has begun, they change no more.
    pub(crate) fn refresh(&mut self) -> Result<()> {
        self.guids = find_guids(&self.connection, "main", &self.path)?;
        Ok(())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The guids in it.
    pub fn guids(&self) -> &[GuidTables] {
        &self.guids
    }

    /// The SQLite connection, for queries of one's own.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Attaches another database for reading and finds its guids.
    pub(crate) fn attach(&self, path: &Path, schema: &str) -> Result<Vec<GuidTables>> {
        check_header(path)?;
        // ATTACH of a plain path would create a missing file, and would open it for writing.
        let uri = format!("file:{}?mode=ro", percent_encoded(path));
        self.connection
            .execute(&format!("ATTACH DATABASE {} AS {schema}", literal(&uri)), [])
            .at(path, "attach")?;
        find_guids(&self.connection, schema, path).inspect_err(|_| self.detach(schema))
    }

    /// Detaches; only outside of transactions.
    pub(crate) fn detach(&self, schema: &str) {
        // A failure leaves the file attached until the connection closes, for reading only.
        let _ = self.connection.execute(&format!("DETACH DATABASE {schema}"), []);
    }

    /// Checks that a guid has tables with these columns.
    pub(crate) fn require(
        &self,
        schema: &str,
        path: &Path,
        guid: &GuidTables,
        tables: &[Needed],
    ) -> Result<()> {
        for (name, columns) in tables {
            let table = format!("rocpd_{name}{}", guid.suffix);
            let found = columns_of(&self.connection, schema, &table, path)?;
            if found.is_empty() {
                return Err(Error::schema(path, format!("guid {}: table {table} is missing", guid.guid)));
            }
            for column in *columns {
                if !found.iter().any(|name| name == column) {
                    let problem = format!("guid {}: table {table} has no column {column}", guid.guid);
                    return Err(Error::schema(path, problem));
                }
            }
        }
        Ok(())
    }
}

/// A table's name and the columns that are read.
pub(crate) type Needed = (&'static str, &'static [&'static str]);

/// The names of a table's columns; none when there is no such table.
pub(crate) fn columns_of(
    connection: &Connection,
    schema: &str,
    table: &str,
    path: &Path,
) -> Result<Vec<String>> {
    let mut statement = connection
        .prepare_cached("SELECT name FROM pragma_table_info(?1, ?2)")
        .at(path, "read the tables' columns")?;
    let names =
        statement.query_map([table, schema], |row| row.get(0)).at(path, "read the tables' columns")?;
    names.collect::<rusqlite::Result<_>>().at(path, "read the tables' columns")
}

fn check_header(path: &Path) -> Result<()> {
    let mut file = std::fs::File::open(path).map_err(Error::io(path, "open"))?;
    if file.metadata().map_err(Error::io(path, "read"))?.is_dir() {
        let kind = std::io::ErrorKind::IsADirectory;
        return Err(Error::io(path, "open")(std::io::Error::new(kind, "a folder, not a database")));
    }
    let mut header = Vec::new();
    file.by_ref().take(16).read_to_end(&mut header).map_err(Error::io(path, "read"))?;
    if header.is_empty() {
        return Err(Error::Empty { path: path.to_path_buf() });
    }
    if header != b"SQLite format 3\0" {
        return Err(Error::NotSqlite { path: path.to_path_buf() });
    }
    Ok(())
}

pub(crate) fn connect(path: &Path, access: Access, wait: Duration) -> Result<Connection> {
    check_header(path)?;
    let mode = match access {
        Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let flags = mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file:{}", percent_encoded(path));
    let mut connection = Connection::open_with_flags(uri, flags).at(path, "open")?;
    crate::steps::count(&mut connection).at(path, "open")?;
    connection.busy_timeout(wait).at(path, "open")?;
    // Files come from anywhere: their views and triggers get no more than SQLite's harmless functions.
    // Foreign keys: the profiler's files are written without them and may violate them (event 0, say).
    connection
        .execute_batch(
            "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = OFF; \
             PRAGMA cache_size = -32768;",
        )
        .at(path, "open")?;
    Ok(connection)
}

/// A path for a `file:` URI.
fn percent_encoded(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut text = String::new();
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Finds the guids through their physical metadata tables.
fn find_guids(connection: &Connection, schema: &str, path: &Path) -> Result<Vec<GuidTables>> {
    let doing = "read the list of tables";
    let mut statement = connection
        .prepare(&format!(
            "SELECT name FROM {schema}.sqlite_master WHERE type = 'table' AND name LIKE 'rocpd!_%' ESCAPE '!'"
        ))
        .at(path, doing)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0)).at(path, doing)?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>().at(path, doing)?;
    if names.is_empty() {
        return Err(Error::schema(path, "it has no table whose name starts with rocpd_"));
    }
    let mut guids = Vec::new();
    for suffix in names.iter().filter_map(|name| name.strip_prefix("rocpd_metadata")) {
        guids.push(read_guid(connection, schema, suffix, path)?);
    }
    if guids.is_empty() {
        return Err(Error::schema(path, "there is no table rocpd_metadata_<guid>"));
    }
    guids.sort_by(|a, b| a.guid.as_bytes().cmp(b.guid.as_bytes()));
    if let Some(pair) = guids.windows(2).find(|pair| pair[0].guid == pair[1].guid) {
        return Err(Error::schema(path, format!("guid {} is there twice", pair[0].guid)));
    }
    Ok(guids)
}

fn read_guid(connection: &Connection, schema: &str, suffix: &str, path: &Path) -> Result<GuidTables> {
    let doing = "read rocpd_metadata";
    let table = format!("{schema}.{}", quoted(&format!("rocpd_metadata{suffix}")));
    let mut statement =
        connection.prepare(&format!("SELECT tag, value FROM {table} ORDER BY id")).at(path, doing)?;
    let rows = statement
        .query_map([], |row| {
            let text = |index| -> rusqlite::Result<String> {
                Ok(match row.get_ref(index)? {
                    rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                    value => String::from_utf8_lossy(value.as_bytes().unwrap_or_default()).into_owned(),
                })
            };
            Ok((text(0)?, text(1)?))
        })
        .at(path, doing)?;
    let metadata: Vec<(String, String)> =
        rows.take(METADATA_ROWS).collect::<rusqlite::Result<_>>().at(path, doing)?;
    if metadata.is_empty() {
        return Err(Error::Unfinished { path: path.to_path_buf() });
    }
    let tag = |wanted: &str| {
        let value = metadata.iter().find(|(tag, _)| tag == wanted).map(|(_, value)| value.clone());
        value.ok_or_else(|| Error::schema(path, format!("{table} has no row with tag {wanted}")))
    };
    let version = tag("schema_version")?;
    if schema::major_version(&version) != Some(3) {
        return Err(Error::SchemaVersion { path: path.to_path_buf(), found: version });
    }
    let (guid, uuid) = (tag("guid")?, tag("uuid")?);
    if uuid != suffix {
        let problem = format!("{table}: tag uuid is {uuid:?}, the tables' names end with {suffix:?}");
        return Err(Error::schema(path, problem));
    }
    let columns = columns_of(connection, schema, &format!("rocpd_pmc_event{suffix}"), path)?;
    let has_sample_id = columns.iter().any(|name| name == "sample_id");
    Ok(GuidTables { guid, suffix: suffix.to_owned(), version, metadata, has_sample_id })
}
