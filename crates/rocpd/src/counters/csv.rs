//! Counters as text: `<pid>_native_counter_collection.csv`.
//!
//! Values are exact, while the older tool rounded them to six digits: the shortest text that reads back as
//! the same number.

use std::io::Write as _;
use std::path::PathBuf;

use sqtt_files::{OutputError, WholeFile};
use sqtt_format::push_csv_field;

use super::{CounterRecord, CountersTarget, CountersWriter};
use crate::error::{Error, Result};
use crate::writer::{AgentInfo, CounterInfo, Registered};

/// The first line of the file.
pub const CSV_HEADER: [&str; 7] = [
    "dispatch_id",
    "gpu_id",
    "kernel_id",
    "lds_per_workgroup",
    "counter_id",
    "counter_name",
    "counter_value",
];

/// Writes counters as CSV with LF line ends.
#[derive(Debug)]
pub struct CsvCountersWriter {
    path: PathBuf,
    out: WholeFile,
    agents: Registered<AgentInfo>,
    counters: Registered<CounterInfo>,
    rows: u64,
}

impl CsvCountersWriter {
    /// Starts the file in the target's folder.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Io`].
    pub fn create(target: &CountersTarget) -> Result<Self> {
        let path = target.file("csv");
        let mut out = WholeFile::create_new(&path).map_err(taken)?;
        writeln!(out, "{}", CSV_HEADER.join(",")).map_err(Error::io(&path, "write"))?;
        Ok(Self {
            path,
            out,
            agents: Registered::new("agent"),
            counters: Registered::new("counter"),
            rows: 0,
        })
    }

    fn line(&mut self, record: &CounterRecord) -> Result<()> {
        self.agents.get(record.agent.cast_signed())?;
        let name = &self.counters.get(record.counter.cast_signed())?.name;
        let CounterRecord { dispatch_id, agent, kernel_id, lds_size, counter, value } = record;
        writeln!(self.out, "{dispatch_id},{agent},{kernel_id},{lds_size},{counter},{name},{value}")
            .map_err(Error::io(&self.path, "write"))?;
        self.rows += 1;
        Ok(())
    }
}

impl CountersWriter for CsvCountersWriter {
    fn add_agent(&mut self, handle: u64, agent: &AgentInfo) -> Result<()> {
        self.agents.claim(Some(handle.cast_signed()), agent).map(drop)
    }

    fn add_counter(&mut self, handle: u64, counter: &CounterInfo) -> Result<()> {
        // The format has no quotes, so a name must not need any.
        let mut field = Vec::new();
        push_csv_field(&mut field, counter.name.as_bytes());
        if field != counter.name.as_bytes() {
            let expected =
                "a name without commas, quotes and line ends that no spreadsheet takes for a formula";
            return Err(Error::invalid("counter name", &counter.name, expected));
        }
        self.counters.claim(Some(handle.cast_signed()), counter).map(drop)
    }

    fn write_counters(&mut self, records: &[CounterRecord]) -> Result<()> {
        records.iter().try_for_each(|record| self.line(record))
    }

    fn finish(mut self: Box<Self>) -> Result<Option<PathBuf>> {
        if self.rows == 0 {
            return Ok(None);
        }
        self.out.sync()?;
        self.out.finish().map_err(taken)?;
        Ok(Some(self.path))
    }
}

/// A name that is taken is what it is for all files of this crate.
fn taken(error: OutputError) -> Error {
    match error {
        OutputError::Exists { path } => Error::Exists { path },
        other => other.into(),
    }
}
