//! `shaderdata_{se}_{index}.json`, written record by record.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{RecordFile, Style, WriteError};
use crate::trace::{Record, SlotId};

const SCHEMA: &str = r#"["time","value","cu","simd","wave_id","flags"]"#;

/// Writes the records of one shader engine into files of a folder. What is not finished is cut off.
#[derive(Debug)]
pub struct RecordFiles {
    folder: PathBuf,
    se: u32,
    style: Style,
    limit: u64,
    taken: Vec<String>,
    next_index: u64,
    open: Option<(BufWriter<File>, PathBuf)>,
    done: Vec<RecordFile>,
}

impl RecordFiles {
    /// The most records of a file of `rocprofv3`. `att_tool` writes one file per engine.
    pub const BATCH: u64 = 65_536;

    /// Files of shader engine `se` in `folder`.
    #[must_use]
    pub fn new(folder: &Path, se: u32, style: Style) -> Self {
        let limit = if style == Style::AttTool { u64::MAX } else { Self::BATCH };
        Self {
            folder: folder.to_owned(),
            se,
            style,
            limit,
            taken: Vec::new(),
            next_index: 0,
            open: None,
            done: Vec::new(),
        }
    }

    /// Sets another limit on the records of a file.
    #[must_use]
    pub fn with_limit(mut self, records: u64) -> Self {
        self.limit = records.max(1);
        self
    }

    /// Sets file names that are not used.
    #[must_use]
    pub fn without_names(mut self, taken: Vec<String>) -> Self {
        self.taken = taken;
        self
    }

    /// Adds a record of a slot of this engine. A file's records are in the order in which they come.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn push(&mut self, slot: SlotId, record: Record) -> Result<(), WriteError> {
        if self.done.last().is_some_and(|file| file.records == self.limit) {
            self.close()?;
        }
        if self.open.is_none() {
            self.start(record.time)?;
        }
        if let (Some((out, path)), Some(file)) = (&mut self.open, self.done.last_mut()) {
            row(out, self.style, file.records == 0, slot, record).map_err(WriteError::io(path))?;
            file.end = record.time;
            file.records += 1;
        }
        Ok(())
    }

    /// Ends the last file and says which there are.
    ///
    /// # Errors
    ///
    /// Errors of the file system.
    pub fn finish(mut self) -> Result<Vec<RecordFile>, WriteError> {
        self.close()?;
        Ok(self.done)
    }

    fn start(&mut self, begin: i64) -> Result<(), WriteError> {
        let name = loop {
            let name = format!("shaderdata_{}_{}.json", self.se, self.next_index);
            self.next_index += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        let path = self.folder.join(&name);
        let start = || -> io::Result<BufWriter<File>> {
            let mut out = BufWriter::with_capacity(1 << 18, File::create_new(&path)?);
            head(&mut out, self.style, begin)?;
            Ok(out)
        };
        let out = start().map_err(WriteError::io(&path))?;
        self.open = Some((out, path));
        self.done.push(RecordFile { name, begin, end: begin, records: 0 });
        Ok(())
    }

    fn close(&mut self) -> Result<(), WriteError> {
        let (Some((mut out, path)), Some(file)) = (self.open.take(), self.done.last()) else { return Ok(()) };
        tail(&mut out, self.style, file).and_then(|()| out.flush()).map_err(WriteError::io(&path))
    }
}

/// Writes what comes before the records: what is known by then.
fn head(out: &mut impl Write, style: Style, begin: i64) -> io::Result<()> {
    match style {
        Style::Rocprofv3 | Style::Compact => write!(out, "{{\"begin_time\":{begin},\"records\":["),
        Style::AttTool => write!(
            out,
            "{{\n  \"type\": \"shaderdata\",\n  \"begin_time\": {begin},\n  \"records_schema\": {SCHEMA},\n  \"records\": ["
        ),
    }
}

fn tail(out: &mut impl Write, style: Style, file: &RecordFile) -> io::Result<()> {
    let RecordFile { end, records, .. } = file;
    match style {
        Style::Rocprofv3 | Style::Compact => write!(
            out,
            "],\"end_time\":{end},\"records_count\":{records},\"records_schema\":{SCHEMA},\"type\":\"shaderdata\"}}"
        ),
        Style::AttTool => {
            writeln!(out, "\n  ],\n  \"end_time\": {end},\n  \"records_count\": {records}\n}}")
        }
    }
}

fn row(out: &mut impl Write, style: Style, first: bool, slot: SlotId, record: Record) -> io::Result<()> {
    let SlotId { cu, simd, slot, .. } = slot;
    let Record { time, value, flags } = record;
    let flags = flags.bits();
    let comma = if first { "" } else { "," };
    match style {
        Style::Rocprofv3 | Style::Compact => {
            write!(out, "{comma}[{time},{value},{cu},{simd},{slot},{flags}]")
        }
        Style::AttTool => write!(
            out,
            "{comma}\n    [\n      {time},\n      {value},\n      {cu},\n      {simd},\n      {slot},\n      {flags}\n    ]"
        ),
    }
}
