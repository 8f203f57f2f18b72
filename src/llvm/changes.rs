//! The note that the module was changed. Every edit in this folder makes it, so that no phase has to keep count.

use super::Module;
use std::cell::Cell;

thread_local! {
    /// One thread runs one phase over one module at a time (module rule 3).
    static CHANGED: Cell<bool> = const { Cell::new(false) };
}

/// Notes an edit.
pub(super) fn note() {
    CHANGED.set(true);
}

/// Forgets the edits of an earlier phase.
pub(super) fn forget() {
    CHANGED.set(false);
}

impl Module {
    /// True if the running phase has changed anything.
    pub(crate) fn is_changed(self) -> bool {
        CHANGED.get()
    }
}
