//! The input of a phase, and its errors.

use crate::config::{Config, ConfigError};
use crate::llvm::{Analyses, Module, Severity, SourcePlace};

/// Why a phase gave up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PassError {
    /// The environment is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The module asks for something that cannot be done.
    #[error("sqtt: {0}")]
    Module(String),
    /// A certain place of it does.
    #[error("sqtt: {}", place.with(what))]
    At {
        /// The place.
        place: Box<SourcePlace>,
        /// The fault.
        what: String,
    },
}

impl PassError {
    /// Something that cannot be done, and where.
    pub(crate) fn at(place: SourcePlace, what: String) -> Self {
        Self::At { place: Box::new(place), what }
    }
}

/// The input of a phase.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) module: Module,
    pub(crate) config: Config,
    pub(crate) analyses: Analyses,
    /// True if the module is all of a link.
    pub(crate) at_link: bool,
}

impl Run {
    /// Warns of something at a place.
    pub(crate) fn warn_at(self, place: &SourcePlace, what: &str) {
        self.module.diagnose_at(Severity::Warning, place, what);
    }
}
