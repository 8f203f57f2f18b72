//! Tools of several tests: sample files, plain SQL, the view's rows.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rocpd::{Guid, Progress};
use rocpd_samples::Sample;
use rusqlite::Connection;

/// A folder that disappears, with names for files in it.
pub(crate) struct Folder {
    folder: tempfile::TempDir,
    number: Cell<u32>,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), number: Cell::new(0) }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn fresh(&self, name: &str) -> PathBuf {
        self.number.set(self.number.get() + 1);
        self.path(&format!("{name}{}.db", self.number.get()))
    }

    /// The two databases of a run.
    pub(crate) fn pair(&self, sample: &Sample) -> (PathBuf, PathBuf) {
        let (sdk, native) = (self.fresh("sdk"), self.fresh("native"));
        sample.write_sdk(&sdk, Guid::random()).unwrap();
        sample.write_native(&native, Guid::random()).unwrap();
        (sdk, native)
    }
}

pub(crate) fn quiet() -> impl FnMut(Progress<'_>) -> ControlFlow<()> {
    rocpd::silent
}

pub(crate) fn execute(path: &Path, sql: &str) {
    let db = Connection::open(path).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    db.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// The suffix of a file's only guid.
pub(crate) fn suffix(path: &Path) -> String {
    let db = Connection::open(path).unwrap();
    db.query_row("SELECT value FROM rocpd_metadata WHERE tag = 'uuid'", [], |row| row.get(0)).unwrap()
}

/// The rows of `counters_collection`: process, dispatch, counter, value.
pub(crate) fn counters(path: &Path) -> Vec<(i64, i64, String, f64)> {
    let db = Connection::open(path).unwrap();
    let mut statement = db
        .prepare("SELECT pid, dispatch_id, counter_name, value FROM counters_collection ORDER BY 1, 2, 3")
        .unwrap();
    let rows =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Adds the columns of schema 3.0.3, where samples of streaming counters share the counters' table.
pub(crate) fn make_3_0_3(path: &Path) {
    let s = suffix(path);
    for column in ["sample_id INTEGER", "xcc INTEGER", "shader_engine INTEGER", "instance INTEGER"] {
        execute(path, &format!("ALTER TABLE rocpd_pmc_event{s} ADD COLUMN {column}"));
    }
    for table in ["kernel_dispatch", "memory_copy"] {
        for column in ["graph_exec_id", "graph_node_id"] {
            execute(
                path,
                &format!("ALTER TABLE rocpd_{table}{s} ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"),
            );
        }
    }
}
