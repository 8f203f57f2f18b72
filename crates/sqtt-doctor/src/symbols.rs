//! Symbols that programs and shared libraries need and give.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSymbol as _};
use serde::Serialize;

use crate::programs::{on_path, run};

/// A C++ standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum CxxLibrary {
    /// GCC's.
    #[serde(rename = "libstdc++")]
    Libstdcxx,
    /// LLVM's.
    #[serde(rename = "libc++")]
    Libcxx,
    /// It could not be found out.
    #[serde(rename = "unknown")]
    Unknown,
}

impl CxxLibrary {
    pub(crate) fn name(self) -> &'static str {
        match self {
            CxxLibrary::Libstdcxx => "libstdc++",
            CxxLibrary::Libcxx => "libc++",
            CxxLibrary::Unknown => "an unknown C++ library",
        }
    }
}

/// Symbols of one file's dynamic table.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) given: BTreeSet<String>,
    /// Symbols to be found when it is loaded; a weak one may stay without an address.
    pub(crate) needed: BTreeSet<String>,
}

pub(crate) fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read =
        std::fs::File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut magic));
    read.is_ok() && magic == *b"\x7FELF"
}

/// The dynamic symbols of a file.
pub(crate) fn symbols(path: &Path) -> Result<Symbols, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut symbols = Symbols::default();
    for symbol in file.dynamic_symbols() {
        let Ok(name) = symbol.name() else { continue };
        match (symbol.is_undefined(), symbol.is_weak()) {
            (false, _) => symbols.given.insert(name.to_owned()),
            (true, false) if !name.is_empty() => symbols.needed.insert(name.to_owned()),
            (true, _) => continue,
        };
    }
    Ok(symbols)
}

/// The bytes of a section.
pub(crate) fn section(path: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
    use object::ObjectSection as _;
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = object::File::parse(&*bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let data = file.section_by_name(name).map(|section| section.data().map(<[u8]>::to_vec));
    data.transpose().map_err(|error| format!("{}: {error}", path.display()))
}

/// The libraries that the dynamic linker loads with a file; none for what is linked statically.
pub(crate) fn libraries(path: &Path) -> Result<Vec<PathBuf>, String> {
    let ldd = on_path("ldd").ok_or("ldd, which says what libraries a program loads, is not on the path")?;
    let said = run(&ldd, &[path.as_os_str()])?;
    let all = format!("{}{}", said.out, said.err);
    if !said.success && !all.contains("not a dynamic executable") && !all.contains("statically linked") {
        return Err(format!("ldd {}: {}", path.display(), all.trim()));
    }
    let paths =
        said.out.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
    Ok(paths.map(PathBuf::from).collect())
}

/// Strikes out of `needed` what a file and its libraries give.
pub(crate) fn strike(needed: &mut BTreeSet<String>, path: &Path) -> Result<(), String> {
    for file in libraries(path)?.iter().map(PathBuf::as_path).chain([path]) {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let parsed = object::File::parse(&*bytes).map_err(|error| format!("{}: {error}", file.display()))?;
        for symbol in parsed.dynamic_symbols().filter(|symbol| !symbol.is_undefined()) {
            if let Ok(name) = symbol.name() {
                needed.remove(name);
            }
        }
    }
    Ok(())
}

/// By the libraries that are loaded, else by the names in the symbols.
pub(crate) fn cxx_library(path: &Path, libraries: &[PathBuf]) -> CxxLibrary {
    let loads = |name: &str| {
        libraries
            .iter()
            .filter_map(|path| path.file_name())
            .any(|file| OsStr::to_string_lossy(file).starts_with(name))
    };
    if loads("libc++.so") {
        return CxxLibrary::Libcxx;
    }
    if loads("libstdc++.so") {
        return CxxLibrary::Libstdcxx;
    }
    let Ok(Symbols { given, needed }) = symbols(path) else { return CxxLibrary::Unknown };
    let any = |part: &str| given.iter().chain(&needed).any(|name| name.contains(part));
    // std::__1 and std::__cxx11.
    match (any("St3__1"), any("St7__cxx11")) {
        (true, false) => CxxLibrary::Libcxx,
        (false, true) => CxxLibrary::Libstdcxx,
        _ => CxxLibrary::Unknown,
    }
}
