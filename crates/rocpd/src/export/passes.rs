//! The passes of a profiling run, with their databases, from the folders that it leaves.
//!
//! - `<workload>/out/pmc_1/<host>/<pid>_results.db` with `<workload>/out/pmc_1/<pid>_native_…` (first
//!   generation), or a pass folder named after its counter file (`out/pmc_perf_0/…`, second generation);
//! - `<workload>/<pass>.db` and `<workload>/<pass>_<pid>.db`: what was kept of a workload.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::import;
use crate::progress::ProgressFn;

/// A profiler's database and the counter files that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// The profiler's database.
    pub sdk: PathBuf,
    /// Counter databases, or CSV files (which are imported into temporary databases).
    pub natives: Vec<PathBuf>,
}

/// One replay of the application: its rows stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// The pass's name.
    pub name: String,
    /// Its databases, sorted by name.
    pub sources: Vec<Source>,
    /// Files that were found and are not used.
    pub warnings: Vec<String>,
}

impl Pass {
    /// A pass of one database and perhaps its native database.
    pub fn of(sdk: &Path, native: Option<&Path>) -> Self {
        let natives = native.map(Path::to_path_buf).into_iter().collect();
        let source = Source { sdk: sdk.to_path_buf(), natives };
        Self { name: stem(sdk), sources: vec![source], warnings: Vec::new() }
    }
}

const NATIVE: &str = "_native_counter_collection";
const RESULTS: &str = "_results.db";

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = std::fs::read_dir(folder).map_err(Error::io(folder, "read the folder"))?;
    let mut paths = list
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<_>>>()
        .map_err(Error::io(folder, "read the folder"))?;
    paths.sort();
    Ok(paths)
}

/// Finds the passes of a database or folder.
///
/// A folder is a workload (it has `out/`, or databases kept from passes), the `out` folder itself, or the
/// folder of one pass.
///
/// # Errors
/// [`Error::Layout`] when nothing of the kind is there, or a native file could belong to several databases.
pub fn find_passes(path: &Path) -> Result<Vec<Pass>> {
    if !path.is_dir() {
        return Ok(vec![Pass::of(path, None)]);
    }
    let out = path.join("out");
    let folder = if out.is_dir() { out.as_path() } else { path };
    if let Some(pass) = pass_folder(folder)? {
        return Ok(vec![pass]);
    }
    let mut passes = Vec::new();
    for entry in entries(folder)? {
        if entry.is_dir() {
            passes.extend(pass_folder(&entry)?);
        }
    }
    if passes.is_empty() {
        passes = kept_databases(path)?;
    }
    if passes.is_empty() {
        let problem = format!(
            "no pass found: expected out/<pass>/<host>/<pid>{RESULTS}, <pass>/<host>/<pid>{RESULTS} or <pass>.db"
        );
        return Err(Error::Layout { path: path.to_path_buf(), problem });
    }
    Ok(passes)
}

/// The pass of a folder that holds `<host>/<pid>_results.db` or `<pid>_results.db`.
fn pass_folder(folder: &Path) -> Result<Option<Pass>> {
    let (mut sdks, mut natives) = (Vec::new(), Vec::new());
    let mut sort = |path: &Path| {
        let name = file_name(path);
        if name.ends_with(RESULTS) {
            sdks.push(path.to_path_buf());
        } else if is_native(&name) {
            natives.push(path.to_path_buf());
        }
    };
    for entry in entries(folder)? {
        if entry.is_dir() {
            for inner in entries(&entry)?.iter().filter(|inner| inner.is_file()) {
                sort(inner);
            }
        } else {
            sort(&entry);
        }
    }
    if sdks.is_empty() {
        return Ok(None);
    }
    pair(folder, &sdks, &natives).map(Some)
}

fn is_native(name: &str) -> bool {
    [".db", ".csv", ".csv.gz"].iter().any(|end| name.ends_with(&format!("{NATIVE}{end}")))
}

/// The process id that a file's name starts with.
fn pid_of(path: &Path) -> Option<String> {
    let name = file_name(path);
    let pid = name.split('_').next()?;
    (!pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit())).then(|| pid.to_owned())
}

/// Gives each native file to the database of its process id, in its own folder if there is one there.
fn pair(folder: &Path, sdks: &[PathBuf], natives: &[PathBuf]) -> Result<Pass> {
    let mut sources: Vec<Source> =
        sdks.iter().map(|sdk| Source { sdk: sdk.clone(), natives: Vec::new() }).collect();
    let mut warnings = Vec::new();
    for native in best_forms(natives) {
        let mut fitting: Vec<usize> =
            (0..sdks.len()).filter(|&index| pid_of(&sdks[index]) == pid_of(&native)).collect();
        if fitting.len() > 1 {
            let near = |index: &usize| sdks[*index].parent() == native.parent();
            if fitting.iter().any(near) {
                fitting.retain(near);
            }
        }
        // A consolidated pair is one database of each tool, whatever their names.
        if fitting.is_empty() && sdks.len() == 1 && natives.len() == 1 {
            fitting.push(0);
        }
        match fitting.as_slice() {
            [] => warnings.push(format!("{}: no database of its process in this pass", native.display())),
            [index] => sources[*index].natives.push(native),
            several => {
                let names: Vec<String> =
                    several.iter().map(|&index| sdks[index].display().to_string()).collect();
                let problem =
                    format!("it could belong to {}: put it into the folder of its host", names.join(" or "));
                return Err(Error::Layout { path: native, problem });
            }
        }
    }
    Ok(Pass { name: file_name(folder), sources, warnings })
}

/// Keeps the exact one of the forms of a native file: the database before the CSV.
fn best_forms(natives: &[PathBuf]) -> Vec<PathBuf> {
    let mut best: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for native in natives {
        let name = file_name(native);
        let base = name.split('.').next().unwrap_or_default();
        let kept = best.entry(native.with_file_name(base)).or_insert_with(|| native.clone());
        if name.ends_with(".db") {
            kept.clone_from(native);
        }
    }
    best.into_values().collect()
}

/// `<pass>.db` and `<pass>_<pid>.db` in a workload's folder.
fn kept_databases(folder: &Path) -> Result<Vec<Pass>> {
    let mut passes: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for path in entries(folder)? {
        let name = file_name(&path);
        if !path.is_file() || !name.ends_with(".db") || is_native(&name) {
            continue;
        }
        let stem = stem(&path);
        // `pmc_perf_0` is a pass, `pmc_perf_0_287205` a process of it.
        let pass = match stem.rsplit_once('_') {
            Some((pass, pid)) if pass.rsplit('_').next().is_some_and(is_number) && is_number(pid) => {
                pass.to_owned()
            }
            _ => stem,
        };
        passes.entry(pass).or_default().push(Source { sdk: path, natives: Vec::new() });
    }
    Ok(passes.into_iter().map(|(name, sources)| Pass { name, sources, warnings: Vec::new() }).collect())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Native databases, those made of CSV files in a folder that lives as long as this.
pub(super) struct Prepared {
    paths: Vec<PathBuf>,
    _folder: Option<TempDir>,
}

impl Prepared {
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }
}

/// Imports CSV files; databases are taken as they are.
pub(super) fn prepare_natives(source: &Source, progress: &mut ProgressFn<'_>) -> Result<Prepared> {
    let mut folder = None;
    let mut paths = Vec::new();
    for (index, native) in source.natives.iter().enumerate() {
        if file_name(native).ends_with(".db") {
            paths.push(native.clone());
            continue;
        }
        if folder.is_none() {
            folder = Some(TempDir::new().map_err(Error::io(native, "make a folder for the import of"))?);
        }
        if let Some(folder) = &folder {
            let output = folder.path().join(format!("{index}.db"));
            import::import_csv(native, &output, None, progress)?;
            paths.push(output);
        }
    }
    Ok(Prepared { paths, _folder: folder })
}
