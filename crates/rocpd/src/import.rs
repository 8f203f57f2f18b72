//! Takes the counter tool's older text form: `<pid>_native_counter_collection.csv[.gz]` becomes a database.
//!
//! Values in such files were rounded to six digits when they were written; that cannot be undone.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use serde::Serialize;

use crate::counters::{
    CSV_HEADER, CounterRecord, CountersTarget, CountersWriter, EventLayout, RocpdCountersWriter,
};
use crate::error::{Error, Result};
use crate::guid::Guid;
use crate::progress::{ProgressFn, tell};
use crate::storage::StorageOptions;
use crate::writer::{AgentInfo, AgentType, CounterInfo, NodeId, NodeInfo, ProcessId, ProcessInfo};

/// Records that are written at once.
const BATCH: usize = 4096;

/// The report of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ImportReport {
    /// The CSV file.
    pub csv: PathBuf,
    /// The database.
    pub output: PathBuf,
    /// The process.
    pub pid: i64,
    /// The database's guid: the same for the same file, so that merging it twice is noticed.
    pub guid: String,
    /// Rows.
    pub rows: u64,
}

/// Imports a CSV file, compressed or not, into a new database.
///
/// The process id comes from the file's name unless it is given.
///
/// # Errors
/// [`Error::Csv`] with the line for malformed files, [`Error::Exists`], [`Error::Io`].
pub fn import_csv(
    csv: &Path,
    output: &Path,
    pid: Option<i64>,
    progress: &mut ProgressFn<'_>,
) -> Result<ImportReport> {
    let pid = match pid.or_else(|| pid_in_name(csv)) {
        Some(pid) => pid,
        None => {
            let name = csv.to_string_lossy();
            let expected = "a name like 4711_native_counter_collection.csv, or a process id given with it";
            return Err(Error::invalid("file name", &name, expected));
        }
    };
    let guid = content_guid(csv, pid)?;
    let target = CountersTarget {
        folder: PathBuf::new(),
        // The file does not say on which machine it was made.
        node: NodeInfo::new(0, "unknown"),
        process: ProcessInfo::new(NodeId(0), pid),
    };
    let options = StorageOptions::default();
    let layout = EventLayout::PerDispatch;
    let mut writer =
        Box::new(RocpdCountersWriter::create_as(&target, layout, output, guid.clone(), options)?);
    let rows = match copy(csv, writer.as_mut(), progress) {
        Ok(0) => Err(Error::Csv {
            path: csv.to_path_buf(),
            line: 2,
            problem: "no rows below the header".to_owned(),
        }),
        other => other,
    };
    let rows = match rows {
        Ok(rows) => rows,
        Err(error) => {
            writer.discard();
            return Err(error);
        }
    };
    writer.finish()?;
    Ok(ImportReport {
        csv: csv.to_path_buf(),
        output: output.to_path_buf(),
        pid,
        guid: guid.to_string(),
        rows,
    })
}

fn pid_in_name(path: &Path) -> Option<i64> {
    path.file_name()?.to_str()?.split('_').next()?.parse().ok().filter(|pid| *pid >= 0)
}

fn open(path: &Path) -> Result<Box<dyn Read>> {
    let mut file = File::open(path).map_err(Error::io(path, "open"))?;
    let mut magic = Vec::new();
    file.by_ref().take(2).read_to_end(&mut magic).map_err(Error::io(path, "read"))?;
    let file = File::open(path).map_err(Error::io(path, "open"))?;
    let reader = BufReader::with_capacity(1 << 16, file);
    // By content, not by name: files get renamed.
    if magic == [0x1f, 0x8b] { Ok(Box::new(MultiGzDecoder::new(reader))) } else { Ok(Box::new(reader)) }
}

/// An identity from the file's bytes, read once more: a chain of name-based UUIDs over its pieces.
fn content_guid(path: &Path, pid: i64) -> Result<Guid> {
    let mut file = File::open(path).map_err(Error::io(path, "open"))?;
    let mut guid = Guid::of_content(format!("native counters of process {pid}").as_bytes());
    let mut piece = Vec::with_capacity(1 << 16);
    loop {
        piece.clear();
        file.by_ref().take(1 << 16).read_to_end(&mut piece).map_err(Error::io(path, "read"))?;
        if piece.is_empty() {
            return Ok(guid);
        }
        piece.extend_from_slice(guid.as_str().as_bytes());
        guid = Guid::of_content(&piece);
    }
}

fn copy(path: &Path, writer: &mut dyn CountersWriter, progress: &mut ProgressFn<'_>) -> Result<u64> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(open(path)?);
    let mut record = StringRecord::new();
    let mut batch = Vec::with_capacity(BATCH);
    let (mut known_agents, mut known_counters) =
        (std::collections::HashSet::new(), std::collections::HashMap::new());
    let mut rows = 0;
    let mut header = true;
    loop {
        let line = reader.position().line();
        let problem = |problem: String| Error::Csv { path: path.to_path_buf(), line, problem };
        if !reader.read_record(&mut record).map_err(|error| problem(describe(&error)))? {
            break;
        }
        if header {
            if record != CSV_HEADER[..] {
                return Err(problem(format!("the header is not {}", CSV_HEADER.join(","))));
            }
            header = false;
            continue;
        }
        let (parsed, name) = parse(&record).map_err(problem)?;
        if known_agents.insert(parsed.agent) {
            writer.add_agent(parsed.agent, &AgentInfo::new(ProcessId(0)).kind(AgentType::Gpu))?;
        }
        match known_counters.get(&parsed.counter) {
            Some(known) if *known == name => {}
            Some(known) => {
                return Err(problem(format!(
                    "counter {} was {known:?} before, is {name:?} here",
                    parsed.counter
                )));
            }
            None => {
                writer.add_counter(parsed.counter, &CounterInfo::new(ProcessId(0), name))?;
                known_counters.insert(parsed.counter, name.to_owned());
            }
        }
        batch.push(parsed);
        rows += 1;
        if batch.len() == BATCH {
            writer.write_counters(&batch)?;
            batch.clear();
            if rows % (BATCH as u64 * 64) == 0 {
                tell(progress, "import", rows, None)?;
            }
        }
    }
    if header {
        return Err(Error::Csv {
            path: path.to_path_buf(),
            line: 1,
            problem: "the file is empty".to_owned(),
        });
    }
    writer.write_counters(&batch)?;
    tell(progress, "import", rows, Some(rows))?;
    Ok(rows)
}

/// The CSV reader's errors without its own, differently counted position.
fn describe(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "not UTF-8 text".to_owned(),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

fn parse(record: &StringRecord) -> std::result::Result<(CounterRecord, &str), String> {
    let mut fields = record.iter();
    let mut field = |name: &str| fields.next().map(str::trim).ok_or_else(|| format!("no field {name}"));
    fn number<T: std::str::FromStr>(name: &str, text: &str) -> std::result::Result<T, String> {
        text.parse().map_err(|_| {
            format!("{name} is {:?}, a number was expected", &text.chars().take(40).collect::<String>())
        })
    }
    let [dispatch, gpu, kernel, lds, counter, name, value] = CSV_HEADER;
    let dispatch_id: u64 = number(dispatch, field(dispatch)?)?;
    if i64::try_from(dispatch_id).is_err() {
        return Err(format!("{dispatch} {dispatch_id} is above 2^63-1"));
    }
    let agent = number(gpu, field(gpu)?)?;
    let kernel_id = number(kernel, field(kernel)?)?;
    let lds_size = number(lds, field(lds)?)?;
    let counter = number(counter, field(counter)?)?;
    let name = field(name)?;
    if name.is_empty() {
        return Err("counter_name is empty".to_owned());
    }
    let value = number(value, field(value)?)?;
    if record.len() > CSV_HEADER.len() {
        return Err(format!("{} fields, {} were expected", record.len(), CSV_HEADER.len()));
    }
    Ok((CounterRecord { dispatch_id, agent, kernel_id, lds_size, counter, value }, name))
}
