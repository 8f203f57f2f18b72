//! The one place that writes a marker's final form.
//!
//! A marker becomes one inline asm, between two `sched_barrier(0)`:
//!
//! ```text
//! s_ttracedata_imm W                                 the immediate form: no register touched
//! s_mov_b32 m0, W ; s_nop N ; s_ttracedata           the M0 form, per record
//! ```
//!
//! What the form guarantees, and why it is asm:
//! - LLVM believes the intrinsics harmless with EXEC = 0 and drops the branch around a short divergent block; it
//!   keeps the branch around an asm. So no wave in which no lane went there emits a record.
//! - The records of one marker stand in one asm: nothing of the wave comes between header and payload.
//! - All that is touched is declared: M0 is a fixed output (a clobber of a reserved register is diagnosed).
//! - Every value reaches M0 through a scalar register: divergent ones pass `readfirstlane` first.
//! - The call is `convergent` and `nomerge`.

use crate::llvm::write::Writer;
use crate::llvm::{Inst, Value};
use crate::target::Target;

/// Which instruction writes a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `s_ttracedata`, through M0.
    M0,
    /// `s_ttracedata_imm`.
    Immediate,
    /// The immediate form where the word is a constant that fits and the target has it.
    Shortest,
}

/// One record to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) word: Value,
    pub(crate) form: Form,
}

/// Writes the records of one marker before `at`.
pub(crate) fn marker(writer: &Writer<'_>, at: Inst, target: Target, records: &[Record]) {
    writer.before(at);
    let mut lines = Vec::new();
    let mut inputs = Vec::new();
    // The output, if there is one, is operand 0.
    let writes_m0 = records.iter().any(|record| immediate(record, target).is_none());
    for record in records {
        if let Some(word) = immediate(record, target) {
            lines.push(format!("s_ttracedata_imm {word:#x}"));
            continue;
        }
        let source = match record.word.as_int() {
            Some(word) => format!("{word:#x}"),
            None => {
                inputs.push(writer.first_lane(record.word));
                format!("${}", inputs.len())
            }
        };
        lines.push(format!("s_mov_b32 m0, {source}"));
        lines.push(format!("s_nop {}", target.m0_nop));
        lines.push("s_ttracedata".to_owned());
    }
    let outputs: &[&str] = if writes_m0 { &["m0"] } else { &[] };
    writer.sched_barrier();
    writer.marker_asm(&lines.join("\n\t"), outputs, &inputs, &[]);
    writer.sched_barrier();
}

/// The operand of the immediate form, when the record takes it.
fn immediate(record: &Record, target: Target) -> Option<u64> {
    let word = record.word.as_int()?;
    match record.form {
        Form::M0 => None,
        Form::Immediate => Some(word),
        Form::Shortest => (target.has_immediate && word <= 0xFF).then_some(word),
    }
}
