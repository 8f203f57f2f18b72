//! A trace folder written anew with the markers of its code objects, and without a clock in its records.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::splice::{Member, splice};
use super::tables::{MarkerTables, listed};
use super::{Description, EngineDescription, RecordFiles, Style, WriteError, save};
use crate::filter::Filter;
use crate::ledger::{Ledger, RemarkKind};
use crate::stream::Words;
use crate::trace::store::Store;
use crate::trace::{Trace, source};

/// Choices for writing a folder anew.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RewriteOptions {
    /// Keep words as they are traced and times as they arrived.
    pub keep_packed: bool,
    /// Whose records are written. What is known of waves and kernels is not filtered.
    pub filter: Filter,
}

impl RewriteOptions {
    /// Says if words stay as they are traced and times as they arrived.
    #[must_use]
    pub fn keep_packed(self, keep_packed: bool) -> Self {
        Self { keep_packed, ..self }
    }

    /// Sets whose records are written.
    #[must_use]
    pub fn filter(self, filter: Filter) -> Self {
        Self { filter, ..self }
    }

    /// The form of the records that are written of a trace.
    pub(super) fn words(&self, trace: &Trace) -> Words {
        if !self.keep_packed && trace.has_packed_headers() { Words::Normalised } else { Words::AsTraced }
    }
}

/// Writes `folder` into the empty folder at `target`: the markers of its code objects in `code.json`
/// (specification, "code.json marker metadata"), packed headers as plain words at their corrected times,
/// all other files and members as they are, compressed JSON unpacked. What is written and read again gives the same
/// answers, and is the same when it is written anew.
///
/// Records are written by time. Where none is to be changed, their files are copied. The ledger is of what
/// could not be carried over. Files are copied on the disk: a trace of memory is for
/// [`write_folder`](super::write_folder).
///
/// # Errors
///
/// Errors of the file system.
pub fn rewrite_folder(trace: &Trace, target: &Path, options: &RewriteOptions) -> Result<Ledger, WriteError> {
    let is_wide = trace.version.as_deref().is_some_and(|version| !version.starts_with("3.0"));
    let style = if is_wide { Style::AttTool } else { Style::Rocprofv3 };
    let words = options.words(trace);
    let mut ledger = Ledger::new();
    for label in &trace.joined_objects {
        let why = "the maps of its units differ, and code.json can hold only one of a code object";
        ledger.add(RemarkKind::AmbiguousCodeObject, 1, trace.place(&format_args!("{label}: {why}")));
    }
    let mut own: BTreeSet<PathBuf> = BTreeSet::from(["code.json".into(), "code.json.gz".into()]);
    if words == Words::Normalised || !options.filter.takes_all() {
        let files = trace.files.iter().filter(|file| file.path.exists());
        own.extend(files.filter_map(|file| Some(file.path.strip_prefix(&trace.path).ok()?.to_owned())));
        own.extend(["filenames.json".into(), "filenames.json.gz".into()]);
    }
    let carried = carry_over(trace, target, &own, &mut ledger)?;
    if own.contains(Path::new("filenames.json")) {
        let description = write_records(trace, target, style, options, words, &carried)?;
        write_names(trace, target, style, &description)?;
    }
    write_code(trace, target, style)?;
    Ok(ledger)
}

/// Copies everything but `own`. Gives back the names at the top.
fn carry_over(
    trace: &Trace,
    target: &Path,
    own: &BTreeSet<PathBuf>,
    ledger: &mut Ledger,
) -> Result<Vec<String>, WriteError> {
    let mut names = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        let source = trace.path.join(&inner);
        for entry in fs::read_dir(&source).map_err(WriteError::io(&source))? {
            let entry = entry.map_err(WriteError::io(&source))?;
            let relative = inner.join(entry.file_name());
            if own.contains(&relative) {
                continue;
            }
            let (from, to) = (entry.path(), target.join(&relative));
            if entry.file_type().map_err(WriteError::io(&from))?.is_dir() {
                fs::create_dir(&to).map_err(WriteError::io(&to))?;
                waiting.push(relative);
                continue;
            }
            let name = relative.to_string_lossy();
            let plain = source::without_ending(&name).filter(|plain| plain.ends_with(".json"));
            match fs::metadata(&from) {
                // A pipe or a device holds nothing, and may never end.
                Ok(metadata) if metadata.is_file() => {
                    if let Some(plain) = plain {
                        if !trace.path.join(plain).exists() {
                            unpack(&from, &target.join(plain), ledger)?;
                            names.push(plain.to_owned());
                        }
                        continue;
                    }
                    fs::copy(&from, &to).map_err(WriteError::io(&from))?;
                    names.extend(relative.to_str().map(str::to_owned));
                }
                Ok(_) => ledger.add(RemarkKind::SkippedFile, 1, format!("{}: no file", from.display())),
                Err(error) => ledger.add(RemarkKind::SkippedFile, 1, format!("{}: {error}", from.display())),
            }
        }
    }
    Ok(names)
}

/// Unpacks a compressed file, or what can be unpacked of it.
fn unpack(from: &Path, to: &Path, ledger: &mut Ledger) -> Result<(), WriteError> {
    let mut out = File::create_new(to).map_err(WriteError::io(to))?;
    let mut source = source::open(Store::Disk, from, None).map_err(WriteError::io(from))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => out.write_all(&buffer[..count]).map_err(WriteError::io(to))?,
            Err(error) => {
                ledger.add(RemarkKind::TruncatedFile, 1, format!("{}: {error}", source::label(from)));
                return Ok(());
            }
        }
    }
}

fn write_records(
    trace: &Trace,
    target: &Path,
    style: Style,
    options: &RewriteOptions,
    words: Words,
    taken: &[String],
) -> Result<Description, WriteError> {
    let mut description = Description { gfxip: trace.gfxip.unwrap_or_default(), ..Description::default() };
    for &se in trace.engines.keys() {
        let mut files = RecordFiles::new(target, se, style).without_names(taken.to_vec());
        trace.records_in_order(se, &options.filter, words, |slot, record| files.push(slot, record))?;
        description
            .engines
            .insert(se, EngineDescription { files: files.finish()?, ..EngineDescription::default() });
    }
    Ok(description)
}

fn write_names(
    trace: &Trace,
    target: &Path,
    style: Style,
    description: &Description,
) -> Result<(), WriteError> {
    let files = serde_json::to_value(listed(&description.engines)).unwrap_or(Value::Null);
    let members = [Member { key: "shaderdata_filenames", value: &files, is_added: true }];
    if splice_file(trace, target, "filenames.json", style, &members)? {
        return Ok(());
    }
    save(target, "filenames.json", style, &super::tables::FileNamesJson::new(description, style))
}

fn write_code(trace: &Trace, target: &Path, style: Style) -> Result<(), WriteError> {
    let tables = MarkerTables::of(&trace.code_objects);
    let members = tables.all().map(|(key, value, is_added)| Member { key, value, is_added });
    let members: Vec<Member<'_>> = members.collect();
    if splice_file(trace, target, "code.json", style, &members)? {
        return Ok(());
    }
    let mut code: serde_json::Map<String, Value> =
        tables.needed().map(|(name, table)| (name.to_owned(), table.clone())).collect();
    code.insert("code".to_owned(), Value::Array(Vec::new()));
    code.insert("version".to_owned(), style.version().into());
    save(target, "code.json", style, &code)
}

/// False where there is no such file that could be changed.
fn splice_file(
    trace: &Trace,
    target: &Path,
    name: &str,
    style: Style,
    members: &[Member<'_>],
) -> Result<bool, WriteError> {
    let from = source::present(Store::Disk, &trace.path.join(name));
    // What is there and no file was said when the folder was read.
    if !from.is_file() {
        return Ok(false);
    }
    splice(&from, &target.join(name), style, members).map_err(WriteError::io(&from))
}
