//! Groups `.att` files into traces.
//!
//! `rocprofv3` writes `{base}_shader_engine_{se}_{run}.att`; a run is a trace, a time domain of its own. A
//! file that begins with a header begins a stream. A file without one continues the stream of
//! its shader engine from an earlier run, or an earlier file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::generation::{Header, HeaderError};
use super::source::first_word;
use crate::ledger::{Ledger, RemarkKind};
use crate::trace::store::Store;

/// The raw files of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawTrace {
    /// Name of the trace: a path beside its files, where nothing is.
    pub path: PathBuf,
    /// Its shader engines, by number.
    pub engines: Vec<RawEngine>,
}

/// The raw files of a shader engine: one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RawEngine {
    /// The shader engine.
    pub se: u32,
    /// The files in the order of the stream.
    pub files: Vec<RawFile>,
}

/// A raw file, and how it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawFile {
    /// Its path.
    pub path: PathBuf,
    /// Its first 8 bytes; `None` if there are fewer, or they could not be read.
    pub(super) start: Option<Result<Header, HeaderError>>,
    /// True if it begins a stream; else it goes on where the one before it stopped.
    pub(super) is_own: bool,
}

impl RawFile {
    /// Looks at how a file begins. `begun` is the header of its stream, and is replaced if the file has one of its own.
    pub(super) fn open(store: Store<'_>, path: PathBuf, begun: &mut Option<Header>) -> Self {
        let word = store.open(&path).and_then(|mut file| first_word(&mut file)).ok().flatten();
        let start = word.map(Header::parse);
        let header = start.and_then(Result::ok);
        let own = header.filter(|&header| begun.is_none_or(|begun| begun.is_followed_by_own(header)));
        *begun = own.or(*begun);
        Self { path, start, is_own: own.is_some() }
    }

    pub(super) fn header(&self) -> Option<Header> {
        self.start.and_then(Result::ok)
    }
}

/// Parts of the name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileName {
    base: String,
    se: Option<u32>,
    run: Option<u64>,
}

impl FileName {
    fn of(file: &Path) -> Self {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        const MARK: &str = "shader_engine_";
        if let Some(at) = stem.rfind(MARK) {
            let base = stem[..at].trim_end_matches('_').to_owned();
            let mut numbers = stem[at + MARK.len()..].split('_');
            if let Some(se) = numbers.next().and_then(|text| text.parse().ok()) {
                let run = numbers.next().and_then(|text| text.parse().ok());
                return Self { base, se: Some(se), run };
            }
        }
        // Other programs': `…_se3`.
        if let Some((base, end)) = stem.rsplit_once("se")
            && (base.is_empty() || base.ends_with(['_', '-', '.']))
            && let Ok(se) = end.parse()
        {
            return Self { base: base.trim_end_matches(['_', '-', '.']).to_owned(), se: Some(se), run: None };
        }
        Self { base: stem, se: None, run: None }
    }

    fn trace(&self, folder: &Path) -> PathBuf {
        let base = if self.base.is_empty() { "raw" } else { &self.base };
        match self.run {
            Some(run) => folder.join(format!("{base}_run_{run}")),
            None => folder.join(base),
        }
    }
}

/// Sorts `.att` files into traces.
pub(crate) fn group(store: Store<'_>, files: &[PathBuf], ledger: &mut Ledger) -> Vec<RawTrace> {
    let mut named: Vec<(PathBuf, FileName, &PathBuf)> = files
        .iter()
        .map(|file| (file.parent().map(Path::to_owned).unwrap_or_default(), FileName::of(file), file))
        .collect();
    named.sort_by(|(folder, name, file), (other_folder, other_name, other_file)| {
        let key = |folder, name: &FileName, file| (folder, name.base.clone(), name.run, name.se, file);
        key(folder.clone(), name, (*file).clone()).cmp(&key(
            other_folder.clone(),
            other_name,
            (*other_file).clone(),
        ))
    });
    let mut traces: BTreeMap<PathBuf, BTreeMap<u32, Vec<RawFile>>> = BTreeMap::new();
    // The last stream of a base and shader engine: which trace it is of, and how it began.
    let mut latest: BTreeMap<(PathBuf, String, u32), (PathBuf, Header)> = BTreeMap::new();
    for (folder, name, file) in named {
        let mut trace = name.trace(&folder);
        let se = match name.se {
            Some(se) => se,
            None => {
                let what = "no shader engine's number in its name, expected …_shader_engine_<se>_<run>.att";
                ledger.add(RemarkKind::AssumedEngine, 1, format!("{}: {what}", file.display()));
                let taken = traces.entry(folder.join("raw")).or_default();
                trace = folder.join("raw");
                taken.last_key_value().map_or(0, |(last, _)| last.saturating_add(1))
            }
        };
        let stream = (folder, name.base, se);
        let earlier = latest.get(&stream);
        let mut begun = earlier.map(|(_, header)| *header);
        let file = RawFile::open(store, file.clone(), &mut begun);
        match earlier {
            Some((earlier, _)) if !file.is_own => trace.clone_from(earlier),
            _ => latest.extend(begun.map(|header| (stream, (trace.clone(), header)))),
        }
        traces.entry(trace).or_default().entry(se).or_default().push(file);
    }
    let engines = |engines: BTreeMap<u32, Vec<RawFile>>| {
        engines.into_iter().map(|(se, files)| RawEngine { se, files }).collect()
    };
    traces.into_iter().map(|(path, files)| RawTrace { path, engines: engines(files) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_say() {
        let name = |file: &str| {
            let name = FileName::of(Path::new(file));
            (name.base, name.se, name.run)
        };
        assert_eq!(name("1234_shader_engine_3_12.att"), ("1234".to_owned(), Some(3), Some(12)));
        assert_eq!(name("shader_engine_0_1.att"), (String::new(), Some(0), Some(1)));
        assert_eq!(name("a_b_shader_engine_2.att"), ("a_b".to_owned(), Some(2), None));
        assert_eq!(name("k0_run1_se14.att"), ("k0_run1".to_owned(), Some(14), None));
        assert_eq!(name("horse7.att"), ("horse7".to_owned(), None, None));
        assert_eq!(name("x_shader_engine_y.att"), ("x_shader_engine_y".to_owned(), None, None));
    }

    #[test]
    fn a_file_without_a_header_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, word: u64| {
            let path = folder.path().join(name);
            std::fs::write(&path, word.to_le_bytes()).unwrap();
            path
        };
        let header = 0x11 | 3 << 7;
        let files = [
            write("a_shader_engine_0_2.att", header),
            write("a_shader_engine_0_10.att", 0x1234),
            write("a_shader_engine_1_2.att", header),
            write("a_shader_engine_0_11.att", header),
            write("a_shader_engine_0_12.att", 0),
            write("b_shader_engine_0_2.att", header),
            write("one.att", header),
            write("two.att", header),
        ];
        let mut ledger = Ledger::new();
        let traces = group(Store::Disk, &files, &mut ledger);
        let text: Vec<_> = traces
            .iter()
            .map(|trace| {
                let files = |engine: &RawEngine| {
                    let names =
                        engine.files.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap());
                    format!("SE{}: {}", engine.se, names.collect::<Vec<_>>().join(" "))
                };
                let name = trace.path.file_name().unwrap().to_str().unwrap();
                format!("{name} {}", trace.engines.iter().map(files).collect::<Vec<_>>().join(", "))
            })
            .collect();
        assert_eq!(
            text,
            [
                "a_run_11 SE0: a_shader_engine_0_11.att a_shader_engine_0_12.att",
                "a_run_2 SE0: a_shader_engine_0_2.att a_shader_engine_0_10.att, SE1: a_shader_engine_1_2.att",
                "b_run_2 SE0: b_shader_engine_0_2.att",
                "raw SE0: one.att, SE1: two.att",
            ]
        );
        assert_eq!(ledger.count(RemarkKind::AssumedEngine), 2);
    }
}
