//! The one place that writes a marker's final form.
//!
//! A marker is one inline asm:
//!
//! ```text
//! s_ttracedata_imm W                                 the immediate form: no register touched
//! s_mov_b32 m0, W ; s_nop N ; s_ttracedata           the M0 form, per record
//! clock → m0 ; s_or_b32 m0, m0, W ; s_nop N ; …      the M0 form of a header with the shader clock
//! ```
//!
//! Around it stands, from the inside out:
//!
//! ```text
//! no filter            sched_barrier, boundary, asm, boundary, sched_barrier
//! filter, cfg          br (scope > K) sqtt.trace, sqtt.skip;  sqtt.trace: boundary, asm, boundary …, br sqtt.skip
//! filter, asm          sched_barrier, boundary, asm { s_cmp scope; s_cbranch over; …; over: }, boundary, sched_barrier
//! ```
//!
//! Markers that stand together share the branch, or the asm where that makes a difference.
//!
//! What the form guarantees, and why it is asm:
//! - LLVM believes the intrinsics harmless with EXEC = 0 and drops the branch around a short divergent block; it
//!   keeps the branch around an asm. So no wave in which no lane went there emits a record.
//! - The records of one marker stand in one asm: nothing of the wave comes between header and payload, nor between
//!   the sample of the shader clock and the record that carries it.
//! - LLVM knows of all that is touched: M0 and SCC are outputs ([`Overwritten`]), or LLVM is told of M0 behind ([`M0`]).
//! - Every value reaches M0 through a scalar register: divergent ones pass `readfirstlane` first.
//! - The call is `convergent` and `nomerge`.

use super::boundary::boundary;
use super::clock::Clock;
use super::scope::ScopeCache;
use crate::config::{Boundary, ScopeForm};
use crate::llvm::write::{Overwritten, Writer};
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
    /// The clock that goes into its high bits.
    pub(crate) clock: Option<Clock>,
}

/// A header and its payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Marker {
    pub(crate) records: Vec<Record>,
}

/// How markers are placed: the same for all that stand together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    pub(crate) target: Target,
    pub(crate) boundary: Boundary,
    pub(crate) form: ScopeForm,
    /// Whether LLVM could fold a branch put here into the one before it.
    pub(crate) hold_branch: bool,
}

/// Writes markers that stand together, in order, before `at`.
pub(crate) fn markers(
    writer: &Writer<'_>,
    at: Inst,
    placement: Placement,
    scope: &mut ScopeCache,
    markers: &[Marker],
) {
    let around = |at: Inst| boundary(writer, at, placement.boundary);
    let compares = scope.value().is_some() && placement.form == ScopeForm::Asm;
    let markers = joined(markers, |marker| compares || writes_m0(marker, placement.target));
    match (scope.value(), placement.form) {
        (None, _) => {
            for marker in &markers {
                let traced = Traced::prepare(writer, at, placement.target, None, marker, M0::Output);
                writer.sched_barrier();
                around(at);
                traced.write(writer, at);
                around(at);
                writer.before(at);
                writer.sched_barrier();
            }
        }
        (Some(value), ScopeForm::Asm) => {
            let traced: Vec<Traced> = markers
                .iter()
                .map(|marker| Traced::prepare(writer, at, placement.target, Some(value), marker, M0::Output))
                .collect();
            writer.before(at);
            writer.sched_barrier();
            around(at);
            for traced in traced {
                traced.write(writer, at);
                around(at);
            }
            writer.before(at);
            writer.sched_barrier();
        }
        (Some(_), ScopeForm::Cfg) => {
            writer.before(at);
            // Folded into a divergent branch, this one would cost three lane-mask instructions instead of two
            // scalar ones.
            if placement.hold_branch {
                writer.hold_branch();
            }
            let Some(condition) = scope.condition(writer) else { return };
            let inside = at.split_if(condition, c"sqtt.trace", c"sqtt.skip");
            // Without optimization, to tell LLVM would be an instruction.
            let m0 = if at.function().has_attribute("optnone") { M0::Output } else { M0::ToldBehind };
            let traced: Vec<Traced> = markers
                .iter()
                .map(|marker| Traced::prepare(writer, inside, placement.target, None, marker, m0))
                .collect();
            around(inside);
            for traced in traced {
                traced.write(writer, inside);
                around(inside);
            }
        }
    }
}

/// How many words that are chosen at run time one asm may write: each is in a scalar register when the asm begins.
const WORDS_AT_ONCE: usize = 4;
/// How many records one asm may have, so that its branch reaches over them.
const RECORDS_AT_ONCE: usize = 64;

/// Markers that stand together, in as few asms as make a difference: one compare leads past all of an asm's, and where
/// two asms that write M0 stand together the compiler waits between them on gfx942.
fn joined(markers: &[Marker], gains: impl Fn(&Marker) -> bool) -> Vec<Marker> {
    let chosen = |marker: &Marker| marker.records.iter().filter(|it| it.word.as_int().is_none()).count();
    let mut joined: Vec<Marker> = Vec::new();
    for marker in markers {
        let fits = |last: &&mut Marker| {
            gains(last)
                && gains(marker)
                && chosen(last) + chosen(marker) <= WORDS_AT_ONCE
                && last.records.len() + marker.records.len() <= RECORDS_AT_ONCE
        };
        match joined.last_mut().filter(fits) {
            Some(last) => last.records.extend_from_slice(&marker.records),
            None => joined.push(marker.clone()),
        }
    }
    joined
}

/// How LLVM learns that an asm writes M0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum M0 {
    /// It is an output of the asm. That holds wherever the asm comes to stand, and each of LLVM's uniformity analyses
    /// looks the register up by its name.
    Output,
    /// LLVM is told right behind the asm. Nothing may come between the two, which holds in a block that has nothing
    /// but markers and cannot become part of another: `sqtt.trace` is one of two ways from the block before it.
    ToldBehind,
}

/// The asm of one marker, with its operands where they have to be.
struct Traced {
    text: String,
    overwritten: Vec<Overwritten>,
    tells_behind: bool,
    inputs: Vec<Value>,
}

impl Traced {
    /// Brings the operands into scalar registers before `at`; with `scope`, the asm will lead the other waves past
    /// itself. Leaves the writer before `at`.
    fn prepare(
        writer: &Writer<'_>,
        at: Inst,
        target: Target,
        scope: Option<Value>,
        marker: &Marker,
        m0: M0,
    ) -> Self {
        writer.before(at);
        let mut overwritten = Vec::new();
        let tells_behind = writes_m0(marker, target) && m0 == M0::ToldBehind;
        if writes_m0(marker, target) && m0 == M0::Output {
            overwritten.push(Overwritten::M0);
        }
        let clocks = || marker.records.iter().filter_map(|record| record.clock);
        if scope.is_some() || clocks().next().is_some() {
            overwritten.push(Overwritten::Scc);
        }
        if clocks().any(Clock::overwrites_vcc) {
            overwritten.push(Overwritten::Vcc);
        }
        let mut inputs: Vec<Value> = scope.into_iter().collect();
        // The one added last.
        let operand = |inputs: &[Value]| format!("${}", overwritten.len() + inputs.len() - 1);
        let mut lines = Vec::new();
        if scope.is_some() {
            lines.push(format!("s_cmp_eq_u32 {}, 0", operand(&inputs)));
            lines.push("s_cbranch_scc1 .Lsqtt_skip${:uid}".to_owned());
        }
        for record in &marker.records {
            if let Some(word) = immediate(record, target) {
                lines.push(format!("s_ttracedata_imm {word:#x}"));
                continue;
            }
            let source = match record.word.as_int() {
                Some(word) => format!("{word:#x}"),
                None => {
                    inputs.push(writer.first_lane(record.word));
                    operand(&inputs)
                }
            };
            match record.clock {
                Some(clock) => lines.extend(clock.into_m0(&source)),
                None => lines.push(format!("s_mov_b32 m0, {source}")),
            }
            lines.push(format!("s_nop {}", target.m0_nop));
            lines.push("s_ttracedata".to_owned());
        }
        let mut text = lines.join("\n\t");
        if scope.is_some() {
            text.push_str("\n.Lsqtt_skip${:uid}:");
        }
        Self { text, overwritten, tells_behind, inputs }
    }

    /// Writes the asm before `at`.
    fn write(&self, writer: &Writer<'_>, at: Inst) {
        writer.before(at);
        writer.marker_asm(&self.text, &self.overwritten, &self.inputs);
        if self.tells_behind {
            writer.forget_m0();
        }
    }
}

fn writes_m0(marker: &Marker, target: Target) -> bool {
    marker.records.iter().any(|record| immediate(record, target).is_none())
}

/// The operand of the immediate form, when the record takes it.
fn immediate(record: &Record, target: Target) -> Option<u64> {
    let word = record.word.as_int().filter(|_| record.clock.is_none())?;
    match record.form {
        Form::M0 => None,
        Form::Immediate => Some(word),
        Form::Shortest => (target.has_immediate && word <= 0xFF).then_some(word),
    }
}
