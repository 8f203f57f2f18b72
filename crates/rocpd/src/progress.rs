//! Progress of long work.

use std::ops::ControlFlow;

use crate::error::{Error, Result};

/// One report of work that takes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress<'a> {
    /// The work being done, for example `merge`.
    pub phase: &'a str,
    /// Rows done.
    pub done: u64,
    /// Rows there are, where known.
    pub total: Option<u64>,
}

/// Receives progress; `Break` stops the work, which then changes nothing.
pub type ProgressFn<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'a;

/// A progress receiver that does nothing.
pub fn silent(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Reports and turns `Break` into an error.
pub(crate) fn tell(to: &mut ProgressFn<'_>, phase: &str, done: u64, total: Option<u64>) -> Result<()> {
    match to(Progress { phase, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}
