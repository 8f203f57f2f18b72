//! Names in a constant table, of which the program chooses one by an index: `stage[i & 3]`, `steps[i].name`.

use crate::llvm::write::Writer;
use crate::llvm::{Inst, Module, Offset, Value};

/// A load of a name from a constant table.
pub(crate) struct Table {
    load: Inst,
    /// The place in the table that it reads.
    at: Offset,
    /// Number of pointers that the table has room for.
    slots: usize,
    /// The slots that it can read, with the names there: none where there is no literal.
    names: Vec<(usize, Option<Vec<u8>>)>,
}

/// Bytes of a pointer.
const SLOT: i64 = 8;

/// Number of names that a table may have.
const MAX_NAMES: usize = 512;

impl Table {
    /// The table that a pointer is loaded from; the name begins `offset` bytes after the pointer.
    pub(crate) fn of(module: Module, load: Inst, pointer: Value, offset: i64) -> Option<Self> {
        let (global, at) = pointer.variable_offset(module)?;
        let size = i64::try_from(global.constant_size(module)?).ok()?;
        let is_slot = |bytes: i64| bytes % SLOT == 0;
        if at.terms.is_empty() || !is_slot(at.constant) || !at.terms.iter().all(|(_, scale)| is_slot(*scale))
        {
            return None;
        }
        let step = at.terms.iter().fold(0, |step, (_, scale)| common_divisor(step, scale.unsigned_abs()));
        let step = i64::try_from(step).ok().filter(|step| *step > 0)?;
        let mut names = Vec::new();
        let mut bytes = at.constant.rem_euclid(step);
        while bytes + SLOT <= size {
            if names.len() == MAX_NAMES {
                return None;
            }
            let name = global
                .load_constant(bytes, load.value(), module)
                .and_then(Value::constant_string)
                .and_then(|text| text.get(usize::try_from(offset).ok()?..).map(<[u8]>::to_vec))
                .filter(|name| !name.is_empty());
            names.push((usize::try_from(bytes / SLOT).ok()?, name));
            bytes += step;
        }
        // A table without a single name is something else.
        names.iter().any(|(_, name)| name.is_some()).then_some(())?;
        Some(Self { load, at, slots: usize::try_from(size / SLOT).ok()?, names })
    }

    /// True if every slot that can be read has a name.
    pub(crate) fn is_known(&self) -> bool {
        self.names.iter().all(|(_, name)| name.is_some())
    }

    /// The load.
    pub(crate) fn load(&self) -> Inst {
        self.load
    }

    /// Writes the same table over words, and reads it where the program reads the other.
    pub(crate) fn build(&self, writer: &Writer<'_>, mut word: impl FnMut(Option<&[u8]>) -> Value) -> Value {
        let mut words = vec![writer.word(0); self.slots];
        for (slot, name) in &self.names {
            words[*slot] = word(name.as_deref());
        }
        writer.before(self.load);
        let index = writer.scaled_sum(&self.at, SLOT);
        writer.table_word(&words, index)
    }
}

fn common_divisor(left: u64, right: u64) -> u64 {
    if right == 0 { left } else { common_divisor(right, left % right) }
}
