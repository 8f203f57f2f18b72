//! Turns records into one asm: the one place that knows a record's instructions.
//!
//! ```text
//! s_ttracedata_imm W                                 the immediate form: no register touched
//! s_mov_b32 m0, W ; s_nop N ; s_ttracedata           the M0 form, per record
//! clock → m0 ; s_or_b32 m0, m0, W ; s_nop N ; …      the M0 form of a header with the shader clock
//! ```
//!
//! Around the records stands, as far as asked for:
//!
//! ```text
//! s_bitcmp1_b32 MASK, field ; s_cbranch_scc0 over    the filter
//! wait for LDS
//! s_mov_b32 $0, m0                                   M0 belongs to the program
//! the records
//! s_mov_b32 m0, $0 ; s_nop N
//! over:
//! ```

use super::clock::Clock;
use super::scope::Test;
use crate::llvm::Value;
use crate::llvm::write::{Overwritten, Writer};
use crate::target::Target;

/// The instruction that writes a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `s_ttracedata`, through M0.
    M0,
    /// `s_ttracedata_imm`.
    Immediate,
    /// The immediate form where the word is a constant that fits and the target has it.
    Shortest,
}

/// A record's word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// A value that may be in a vector register.
    Value(Value),
    /// A value in a scalar register.
    Scalar(Value),
    /// A scalar register, by its name.
    Register(&'static str),
}

/// One record to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) word: Word,
    pub(crate) form: Form,
    /// The clock that goes into its high bits.
    pub(crate) clock: Option<Clock>,
}

impl Record {
    /// True if the word is chosen at run time and takes a register of its own.
    pub(super) fn is_chosen(&self) -> bool {
        match self.word {
            Word::Value(word) | Word::Scalar(word) => word.as_int().is_none(),
            Word::Register(_) => false,
        }
    }

    /// The operand of the immediate form, when the record takes it.
    pub(super) fn immediate(&self, target: Target) -> Option<u64> {
        let (Word::Value(word) | Word::Scalar(word)) = self.word else { return None };
        let word = word.as_int().filter(|_| self.clock.is_none())?;
        match self.form {
            Form::M0 => None,
            Form::Immediate => Some(word),
            Form::Shortest => (target.has_immediate && word <= 0xFF).then_some(word),
        }
    }
}

/// The owner of M0, and the way in which LLVM learns that an asm writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum M0 {
    /// M0 is an output of the asm. That holds wherever the asm comes to stand, and each of LLVM's uniformity analyses
    /// looks the register up by its name.
    Output,
    /// LLVM is told right after the asm. Nothing that writes M0 may come between the two. That holds in a block of
    /// the plugin's own that cannot become part of another: `sqtt.trace` is one of two ways from the block before it,
    /// and the loops over lanes are blocks that it leads to.
    ToldBehind,
    /// It is the program's, whose asm LLVM does not look into: the asm leaves it as it was.
    Kept,
}

/// The tasks of an asm besides writing records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) target: Target,
    /// The filter that leads the other waves past the records.
    pub(super) test: Option<Test>,
    /// True if the waves that record wait for LDS first.
    pub(super) waits_for_lds: bool,
    /// True if the code generator holds loads at it.
    pub(super) holds_loads: bool,
    pub(super) m0: M0,
}

/// An asm with its operands where they have to be.
pub(super) struct RecordsAsm {
    text: String,
    overwritten: Vec<Overwritten>,
    inputs: Vec<Value>,
    holds_loads: bool,
    tells_behind: bool,
}

impl RecordsAsm {
    /// Brings the operands into scalar registers at the writer's position.
    pub(super) fn prepare(writer: &Writer<'_>, frame: Frame, records: &[Record]) -> Self {
        let Frame { target, test, waits_for_lds, holds_loads, m0 } = frame;
        let writes_m0 = records.iter().any(|record| record.immediate(target).is_none());
        let keeps_m0 = writes_m0 && m0 == M0::Kept;
        let clocks = || records.iter().filter_map(|record| record.clock);
        let overwrites = [
            (keeps_m0, Overwritten::Spare),
            (writes_m0 && m0 == M0::Output, Overwritten::M0),
            (test.is_some() || clocks().next().is_some(), Overwritten::Scc),
            (clocks().any(Clock::overwrites_vcc), Overwritten::Vcc),
        ];
        let overwritten: Vec<Overwritten> =
            overwrites.into_iter().filter_map(|(does, register)| does.then_some(register)).collect();
        let mut inputs = Vec::new();
        let mut operand = |word: Value| {
            inputs.push(word);
            format!("${}", overwritten.len() + inputs.len() - 1)
        };
        let mut lines = Vec::new();
        if let Some(test) = test {
            lines.push(match test {
                Test::Bit { mask, field } => format!("s_bitcmp1_b32 {mask:#x}, {}", operand(field)),
                Test::Word(word) => format!("s_bitcmp1_b32 {}, 0", operand(word)),
            });
            lines.push("s_cbranch_scc0 .Lsqtt_skip${:uid}".to_owned());
        }
        if waits_for_lds {
            lines.push(target.lds_wait.to_owned());
        }
        if keeps_m0 {
            lines.push("s_mov_b32 $0, m0".to_owned());
        }
        for record in records {
            if let Some(word) = record.immediate(target) {
                lines.push(format!("s_ttracedata_imm {word:#x}"));
                continue;
            }
            let source = match record.word {
                Word::Register(name) => name.to_owned(),
                Word::Value(word) | Word::Scalar(word) => match (word.as_int(), record.word) {
                    (Some(word), _) => format!("{word:#x}"),
                    (None, Word::Value(_)) => operand(writer.first_lane(word)),
                    (None, _) => operand(word),
                },
            };
            match record.clock {
                Some(clock) => lines.extend(clock.into_m0(&source)),
                None => lines.push(format!("s_mov_b32 m0, {source}")),
            }
            lines.push(format!("s_nop {}", target.m0_nop));
            lines.push("s_ttracedata".to_owned());
        }
        if keeps_m0 {
            lines.push("s_mov_b32 m0, $0".to_owned());
            lines.push(format!("s_nop {}", target.m0_nop));
        }
        let mut text = lines.join("\n\t");
        if test.is_some() {
            text.push_str("\n.Lsqtt_skip${:uid}:");
        }
        Self { text, overwritten, inputs, holds_loads, tells_behind: writes_m0 && m0 == M0::ToldBehind }
    }

    /// Writes the asm at the writer's position.
    pub(super) fn write(&self, writer: &Writer<'_>) {
        writer.marker_asm(&self.text, &self.overwritten, &self.inputs, self.holds_loads);
        if self.tells_behind {
            writer.forget_m0();
        }
    }
}
