#![doc = include_str!("../README.md")]
//!
//! The doctor of `sqtt doctor`: does the plugin fit the compiler, and what else may be in the way?
//!
//! [`examine`] looks at what is there and judges nothing by a name alone: the compiler is asked for its version, the
//! plugin's file is read, symbols are compared, and in the end the compiler loads the plugin in a compile of an empty
//! file. Nothing is written.
//!
//! `programs` (other programs, with a time limit), `symbols` (and libraries) → `rocm`, `clang`, `plugin`, `filters` (in
//! objects) → `fit` (do they go together), `compiler_cache` → `text`.

#![forbid(unsafe_code)]

mod clang;
mod compiler_cache;
mod filters;
mod fit;
mod plugin;
mod programs;
mod rocm;
mod symbols;
mod text;

use std::path::PathBuf;

use serde::Serialize;

pub use text::write_text;

/// Things to look at.
#[derive(Debug, Default)]
pub struct Request {
    /// The compiler; found by the environment where it is not named.
    pub clang: Option<PathBuf>,
    /// The plugin; the one beside this program or in `../lib` where it is not named.
    pub plugin: Option<PathBuf>,
    /// Programs and code objects whose markers are of interest.
    pub objects: Vec<PathBuf>,
}

/// Level of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Everything is right.
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
pub struct Finding {
    /// Thing that was looked at: one word.
    pub check: &'static str,
    /// Its level.
    pub level: Level,
    /// Text of the finding.
    pub says: String,
    /// Remedy: commands or settings, one a line.
    pub remedy: Option<String>,
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

/// All that was found; serialized, it is what `sqtt doctor --json` prints.
#[derive(Debug, Serialize)]
pub struct Report {
    /// No finding is a problem.
    pub ok: bool,
    pub(crate) clang: Option<clang::Clang>,
    pub(crate) plugin: Option<plugin::Plugin>,
    pub(crate) rocm: rocm::Rocm,
    pub(crate) objects: Vec<filters::Object>,
    /// All that was looked at, in that order.
    pub findings: Vec<Finding>,
}

/// Looks at everything.
#[must_use]
pub fn examine(request: &Request) -> Report {
    let mut findings = Vec::new();
    let rocm = rocm::Rocm::find();
    let clang = clang::Clang::find(request.clang.as_deref(), &rocm, &mut findings);
    let plugin = plugin::Plugin::find(request.plugin.as_deref(), &mut findings);
    if let (Some(clang), Some(plugin)) = (&clang, &plugin) {
        fit::compare(clang, plugin, &mut findings);
    }
    compiler_cache::caches(clang.as_ref(), plugin.as_ref(), &mut findings);
    rocm.tell(&mut findings);
    let objects = filters::read(&request.objects, &mut findings);
    let ok = findings.iter().all(|finding| finding.level < Level::Problem);
    Report { ok, clang, plugin, rocm, objects, findings }
}
