//! `sqtt doctor`: does the plugin fit the compiler, and what else may be in the way?
//!
//! [`examine`] looks at what is there and judges nothing by a name alone: the compiler is asked for its version, the
//! plugin's file is read, symbols are compared, and in the end the compiler loads the plugin in a compile of an empty
//! file. Nothing is written.
//!
//! `run` (other programs, with a time limit) → `clang`, `shared` (symbols and libraries), `plugin`, `scope` (filters in
//! objects), `around` (caches, ROCm) → `fit` (do they go together) → `text`.

mod around;
mod clang;
mod fit;
mod plugin;
mod run;
mod scope;
mod shared;
mod text;

use std::path::PathBuf;

use serde::Serialize;

pub(crate) use text::write_text;

/// What to look at.
#[derive(Debug, Default)]
pub(crate) struct Request {
    /// The compiler; found by the environment where it is not named.
    pub(crate) clang: Option<PathBuf>,
    /// The plugin; the one beside this program where it is not named.
    pub(crate) plugin: Option<PathBuf>,
    /// Programs and code objects whose markers are of interest.
    pub(crate) objects: Vec<PathBuf>,
}

/// How good or bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// As it should be.
    Ok,
    /// It could not be found out.
    Unknown,
    /// It may be in the way.
    Warning,
    /// It does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What was looked at: one word.
    pub(crate) check: &'static str,
    pub(crate) level: Level,
    /// What was found.
    pub(crate) says: String,
    /// What would mend it: commands or settings, one a line.
    pub(crate) remedy: Option<String>,
}

impl Finding {
    fn new(check: &'static str, level: Level, says: impl Into<String>) -> Self {
        Self { check, level, says: says.into(), remedy: None }
    }

    fn mended_by(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// No finding is a problem.
    pub(crate) ok: bool,
    pub(crate) clang: Option<clang::Clang>,
    pub(crate) plugin: Option<plugin::Plugin>,
    pub(crate) rocm: around::Rocm,
    pub(crate) objects: Vec<scope::Object>,
    pub(crate) findings: Vec<Finding>,
}

/// Looks at everything.
pub(crate) fn examine(request: &Request) -> Report {
    let mut findings = Vec::new();
    let rocm = around::Rocm::find();
    let clang = clang::Clang::find(request.clang.as_deref(), &rocm, &mut findings);
    let plugin = plugin::Plugin::find(request.plugin.as_deref(), &mut findings);
    if let (Some(clang), Some(plugin)) = (&clang, &plugin) {
        fit::compare(clang, plugin, &mut findings);
    }
    around::caches(clang.as_ref(), plugin.as_ref(), &mut findings);
    rocm.tell(&mut findings);
    let objects = scope::read(&request.objects, &mut findings);
    let ok = findings.iter().all(|finding| finding.level < Level::Problem);
    Report { ok, clang, plugin, rocm, objects, findings }
}
