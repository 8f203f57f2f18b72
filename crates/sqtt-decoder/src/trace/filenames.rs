//! `filenames.json`: which GPU the trace is of and which files hold what.

use std::io::Read;

use super::faults::Faults;
use crate::json::{JsonError, JsonKind, JsonReader, Number};

/// A file that holds records of one shader engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) se: u32,
    /// Its name as listed: it may be an absolute path of another machine.
    pub(crate) name: Vec<u8>,
    /// First and last time, where the entry has them.
    pub(crate) times: Option<(i64, i64)>,
}

#[derive(Debug, Default)]
pub(crate) struct FileNames {
    pub(crate) gfxip: Option<u32>,
    pub(crate) version: Option<Vec<u8>>,
    /// True if program counters were sampled.
    pub(crate) pc_sampling: bool,
    /// True if there was a thread trace, where it says so.
    pub(crate) thread_trace: Option<bool>,
    pub(crate) shaderdata: Vec<Listed>,
}

pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (FileNames, Result<(), JsonError>) {
    let mut names = FileNames::default();
    let mut reader = JsonReader::new(source);
    let result = reader.document(|reader, key| match key {
        b"gfxip" => {
            names.gfxip = reader.unsigned()?.and_then(|value| u32::try_from(value).ok());
            Ok(())
        }
        b"version" if reader.kind()? == JsonKind::String => {
            names.version = Some(reader.string()?);
            Ok(())
        }
        b"pc_sampling" => {
            names.pc_sampling = reader.is_true()?;
            Ok(())
        }
        b"thread_trace" => {
            names.thread_trace = Some(reader.is_true()?);
            Ok(())
        }
        b"shaderdata_filenames" if matches!(reader.kind()?, JsonKind::Object | JsonKind::Null) => {
            reader.object(|reader, key| engine(reader, key, &mut names.shaderdata, faults))
        }
        b"shaderdata_filenames" => faults.skip_no_table(reader, "the files are no table by shader engine"),
        _ => reader.skip(),
    });
    // Engines in the order of their numbers, the files of each as they are listed.
    names.shaderdata.sort_by_key(|listed| listed.se);
    (names, result)
}

/// `"<se>": [[file, begin, end], …]`; an entry may be the bare file name.
fn engine<R: Read>(
    reader: &mut JsonReader<R>,
    key: &[u8],
    files: &mut Vec<Listed>,
    faults: &mut Faults,
) -> Result<(), JsonError> {
    let offset = reader.offset();
    let Some(se) = engine_number(key) else {
        faults.at(offset, &format!("\"{}\" is no shader engine's number", key.escape_ascii()));
        return reader.skip();
    };
    if !matches!(reader.kind()?, JsonKind::Array | JsonKind::Null) {
        return faults.skip_no_table(reader, "the files of a shader engine are no list");
    }
    reader.array(|reader, _| {
        let offset = reader.offset();
        match reader.kind()? {
            JsonKind::String => {
                let name = reader.string()?;
                files.push(Listed { se, name, times: None });
                Ok(())
            }
            JsonKind::Array => {
                let (mut name, mut times) = (None, [None; 2]);
                reader.array(|reader, column| match column {
                    0 if reader.kind()? == JsonKind::String => {
                        name = Some(reader.string()?);
                        Ok(())
                    }
                    1 | 2 => {
                        times[column - 1] = reader.number()?.and_then(Number::time);
                        Ok(())
                    }
                    _ => reader.skip(),
                })?;
                match name {
                    Some(name) => files.push(Listed { se, name, times: times[0].zip(times[1]) }),
                    None => faults.at(offset, "an entry without a file name"),
                }
                Ok(())
            }
            _ => {
                faults.at(offset, "an entry that is neither a list nor a file name");
                reader.skip()
            }
        }
    })
}

/// A key that is the decimal number of a shader engine.
pub(crate) fn engine_number(key: &[u8]) -> Option<u32> {
    decimal(key)?.try_into().ok()
}

/// A key that is a decimal number.
pub(crate) fn decimal(key: &[u8]) -> Option<u64> {
    if key.is_empty() || !key.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(key).ok()?.parse().ok()
}
