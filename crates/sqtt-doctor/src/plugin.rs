//! The plugin: its file is read, not loaded.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::symbols::{self, CxxLibrary};
use crate::{Finding, Level};

const FILE: &str = "libsqttinstrumentpass.so";
/// Section in which the plugin describes itself.
const SECTION: &str = ".sqtt_plugin";
/// Function that every pass plugin gives.
const ENTRY: &str = "llvmGetPassPluginInfo";

/// A pass plugin.
#[derive(Debug, Serialize)]
pub(crate) struct Plugin {
    pub(crate) path: PathBuf,
    /// The plugin's own version; `null` where it is not ours, or older than the section that says so.
    version: Option<String>,
    /// The LLVM that it was built for.
    pub(crate) llvm: Option<String>,
    /// Version of the interface to the compiler that it was built for.
    pub(crate) plugin_api: Option<u32>,
    /// Its C++ library.
    pub(crate) cxx_library: CxxLibrary,
}

impl Plugin {
    /// The plugin that was named, or the one beside this program, or in `../lib` as an installed tree has it.
    pub(crate) fn find(named: Option<&Path>, findings: &mut Vec<Finding>) -> Option<Self> {
        let beside = || {
            let program = std::env::current_exe().ok()?;
            let folder = program.parent()?;
            ["", "../lib"].map(|place| folder.join(place).join(FILE)).into_iter().find(|path| path.is_file())
        };
        let Some(path) = named.map(Path::to_owned).or_else(beside) else {
            let says = format!("none: no {FILE} lies beside this program or in ../lib");
            let remedy = format!("sqtt doctor --plugin /path/to/{FILE}");
            findings.push(Finding::new("plugin", Level::Unknown, says).mended_by(remedy));
            return None;
        };
        match Self::read(path) {
            Ok(plugin) => {
                let says = match (&plugin.version, &plugin.llvm) {
                    (Some(version), Some(llvm)) => format!("version {version}, built for LLVM {llvm}"),
                    _ => "a pass plugin that does not say what it was built for".to_owned(),
                };
                let says = format!("{}: {says}", plugin.path.display());
                findings.push(Finding::new("plugin", Level::Ok, says));
                Some(plugin)
            }
            Err(says) => {
                findings.push(Finding::new("plugin", Level::Problem, says));
                None
            }
        }
    }

    fn read(path: PathBuf) -> Result<Self, String> {
        let symbols = symbols::symbols(&path)?;
        if !symbols.given.contains(ENTRY) {
            return Err(format!("{} is no pass plugin: it does not export {ENTRY}", path.display()));
        }
        let text = symbols::section(&path, SECTION)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let field = |name: &str| {
            let value = |line: &str| line.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
            text.trim_end_matches('\0').lines().find_map(value)
        };
        Ok(Self {
            version: field("plugin"),
            llvm: field("llvm"),
            plugin_api: field("api").and_then(|api| api.parse().ok()),
            cxx_library: symbols::cxx_library(&path, &symbols::libraries(&path).unwrap_or_default()),
            path,
        })
    }

    /// Major version of the LLVM that it was built for.
    pub(crate) fn major(&self) -> Option<u32> {
        self.llvm.as_deref()?.split('.').next()?.parse().ok()
    }
}
