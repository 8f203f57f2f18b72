//! Faults inside of one file, on their way to the ledger.

use std::io::Read;

use crate::json::{JsonError, JsonReader};
use crate::ledger::{Ledger, RemarkKind};

/// Collects the faults of one file. Only the first few are kept with their bytes.
pub(crate) struct Faults {
    file: String,
    ledger: Ledger,
    kept: usize,
}

/// Faults of a file that keep their byte.
const KEPT: usize = 8;

impl Faults {
    /// `file` is what the ledger calls it.
    pub(crate) fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), ledger: Ledger::new(), kept: 0 }
    }

    /// A row or value at a byte of the file.
    pub(crate) fn at(&mut self, offset: u64, what: &str) {
        self.kept += 1;
        if self.kept <= KEPT {
            let place = format!("{}: at byte {offset:#x}: {what}", self.file);
            self.ledger.add(RemarkKind::MalformedRow, 1, place);
        } else {
            self.ledger.add(RemarkKind::MalformedRow, 1, format!("{}: and more", self.file));
        }
    }

    /// Skips what is no table of the kind that belongs here; an empty one is as good as none.
    pub(crate) fn skip_no_table<R: Read>(
        &mut self,
        reader: &mut JsonReader<R>,
        what: &str,
    ) -> Result<(), JsonError> {
        // The token's byte: white space may come first.
        reader.kind()?;
        let offset = reader.offset();
        if reader.skip_in_place_of_a_table()? {
            self.at(offset, what);
        }
        Ok(())
    }

    /// Why the rest of the file was not read.
    pub(crate) fn ended_by(&mut self, error: &JsonError) {
        let kind = if error.is_truncation() { RemarkKind::TruncatedFile } else { RemarkKind::SkippedFile };
        let rest = if error.is_truncation() { "" } else { " (the rest of the file is skipped)" };
        self.ledger.add(kind, 1, format!("{}: {error}{rest}", self.file));
    }

    pub(crate) fn into_ledger(self) -> Ledger {
        self.ledger
    }
}
