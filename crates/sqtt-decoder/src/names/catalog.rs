//! The code objects at hand, read once for all folders of a trace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::MarkerMap;
use crate::codeobj::{Binary, FuncmapWarning, Funcmaps, KernelSymbol, LookupMap};
use crate::ledger::{Ledger, RemarkKind};

/// A code object and its funcmaps.
#[derive(Debug)]
#[non_exhaustive]
pub struct NamedObject {
    /// The number that its file name gives it (`…code_object_id_7.out`).
    pub id: Option<u64>,
    /// The file that it is in.
    pub file: PathBuf,
    /// Its name: the file, and for an entry of a bundle its id.
    pub label: String,
    /// The GPU it is for, such as `gfx1201`.
    pub target: Option<String>,
    /// Its funcmaps: none where it was not instrumented; several where a linker joined maps that give
    /// one id several names, so that each kernel has its own.
    pub maps: Vec<Arc<MarkerMap>>,
    /// Its kernels, by address.
    pub kernels: Vec<KernelSymbol>,
}

/// The code objects at hand, read once for all folders of a trace.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Catalog {
    /// The code objects, in the order of the files.
    pub objects: Vec<NamedObject>,
    /// True if the user named them: then they go before what a trace folder itself says.
    pub are_chosen: bool,
    /// Losses of reading them.
    pub ledger: Ledger,
}

impl Catalog {
    /// Reads the code objects of these files: bare ones, bundles, host programs.
    #[must_use]
    pub fn read(files: &[PathBuf]) -> Self {
        let mut catalog = Self::default();
        files.iter().for_each(|file| catalog.add(file));
        catalog
    }

    fn add(&mut self, file: &Path) {
        match Binary::open(file) {
            Ok(binary) => self.add_binary(&binary),
            Err(error) => self.ledger.add(RemarkKind::SkippedCodeObject, 1, error.to_string()),
        }
    }

    /// Adds the code objects of a file that was opened, or of bytes.
    pub fn add_binary(&mut self, binary: &Binary) {
        self.take(binary.path(), &binary.funcmaps());
    }

    /// Adds the code objects of a file that may hold some. Where it does not, nothing is lost.
    pub(crate) fn look_into(&mut self, file: &Path) {
        let Ok(binary) = Binary::open(file) else { return };
        let found = binary.funcmaps();
        if !found.maps.is_empty() {
            self.take(file, &found);
        }
    }

    fn take(&mut self, file: &Path, found: &Funcmaps) {
        for error in &found.errors {
            self.ledger.add(RemarkKind::SkippedCodeObject, 1, error.to_string());
        }
        // A number in the name of a file that holds several says which one it is of none of them.
        let id = if found.maps.len() == 1 { id_of(file) } else { None };
        for named in &found.maps {
            for warning in &named.warnings {
                // Words with ids of several meanings are a loss where they are read.
                let kind = match warning {
                    FuncmapWarning::Section(_) => RemarkKind::SkippedFuncmap,
                    _ => RemarkKind::FuncmapRow,
                };
                self.ledger.add(kind, 1, format!("{}: {warning}", named.code_object));
            }
            let new = |lookup: LookupMap| {
                let map = MarkerMap::new(named.code_object.as_str(), id, lookup.map)
                    .for_target(named.target.clone())
                    .with_access_bytes(lookup.access_bytes)
                    .with_numeric(lookup.numeric)
                    .with_shared(lookup.shared)
                    .with_addresses(lookup.vaddrs, lookup.has_symbols);
                Arc::new(map)
            };
            self.objects.push(NamedObject {
                id,
                file: file.to_owned(),
                label: named.code_object.clone(),
                target: named.target.clone(),
                maps: named.lookup_maps().into_iter().map(new).collect(),
                kernels: named.kernels.clone(),
            });
        }
    }
}

/// The number behind `code_object_id_` in a file's name.
pub(crate) fn id_of(file: &Path) -> Option<u64> {
    let name = file.file_name()?.to_string_lossy();
    let digits = &name[name.rfind(MARK)? + MARK.len()..];
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Part that the file names of code objects have.
pub(crate) const MARK: &str = "code_object_id_";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_in_file_names() {
        let id = |name: &str| id_of(Path::new(name));
        assert_eq!(id("dir/1234_gfx1200_code_object_id_7.out"), Some(7));
        assert_eq!(id("code_object_id_12"), Some(12));
        assert_eq!(id("code_object_id_.out"), None);
        assert_eq!(id("code_object_id_99999999999999999999.out"), None);
        assert_eq!(id("app"), None);
    }
}
