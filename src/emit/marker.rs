//! Writes markers in their final form.
//!
//! A marker is one inline asm ([`super::records`]). Around it stands, from the inside out:
//!
//! ```text
//! no filter            sched_barrier, boundary, asm, boundary, sched_barrier
//! filter, asm          sched_barrier, boundary, asm { s_bitcmp1 …; s_cbranch over; …; over: }, boundary, sched_barrier
//! filter, cfg          br (scope > K) sqtt.trace, sqtt.skip;  sqtt.trace: boundary, asm, boundary …, br sqtt.skip
//! ```
//!
//! Markers that stand together share the branch, or the asm where that makes a difference.
//!
//! Guarantees of the form, and reasons for asm:
//! - LLVM believes the intrinsics harmless with EXEC = 0 and drops the branch around a short divergent block; it
//!   keeps the branch around an asm. So no wave in which no lane went there emits a record.
//! - The records of one marker stand in one asm: nothing of the wave comes between header and payload, nor between
//!   the sample of the shader clock and the record that carries it.
//! - LLVM knows of all that is touched and of no more: M0 and SCC are outputs ([`Overwritten`]), or LLVM is told of M0
//!   afterwards ([`M0`]); no memory of the program is. The hint after the asm, or the fence, is what holds loads and
//!   stores: to LLVM it may touch all memory, and it leaves loads that are the same for all lanes scalar.
//! - Every value reaches M0 through a scalar register: divergent ones pass `readfirstlane` first.
//! - The call is `convergent` and `nomerge`.
//!
//! [`Overwritten`]: crate::llvm::write::Overwritten

use super::boundary::{LdsWait, boundary};
use super::records::{Frame, M0, Record, RecordsAsm};
use super::scope::ScopeCache;
use crate::config::{Boundary, ScopeForm};
use crate::llvm::Inst;
use crate::llvm::write::Writer;
use crate::target::Target;

/// A header and its payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MarkerRecords {
    pub(crate) records: Vec<Record>,
}

/// The placement of markers: one for all that stand together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    pub(crate) target: Target,
    pub(crate) boundary: Boundary,
    pub(crate) form: ScopeForm,
    /// True if LLVM could fold a branch put here into the one before it.
    pub(crate) hold_branch: bool,
    /// True if operations of the function on LDS may be under way.
    pub(crate) may_wait_for_lds: bool,
    /// True if M0 is the program's.
    pub(crate) keeps_m0: bool,
}

impl Placement {
    /// An asm that every wave executes, wherever it stands.
    pub(super) fn frame(self) -> Frame {
        Frame {
            target: self.target,
            test: None,
            waits_for_lds: false,
            holds_loads: self.boundary == Boundary::Fence,
            m0: if self.keeps_m0 { M0::Kept } else { M0::Output },
        }
    }

    /// An asm in `sqtt.trace`, where `at` is, or in a block that nothing but that leads to.
    pub(super) fn frame_in_trace(self, at: Inst) -> Frame {
        let frame = self.frame();
        // Without optimization, to tell LLVM would be an instruction.
        match frame.m0 {
            M0::Output if !at.function().has_attribute("optnone") => Frame { m0: M0::ToldBehind, ..frame },
            _ => frame,
        }
    }
}

/// Writes markers that stand together, in order, before `at`.
pub(crate) fn markers(
    writer: &Writer<'_>,
    at: Inst,
    placement: Placement,
    scope: &mut ScopeCache,
    markers: &[MarkerRecords],
) {
    let Placement { target, boundary: kind, .. } = placement;
    let compares = scope.test().is_some() && placement.form == ScopeForm::Asm;
    let markers = joined(markers, |marker| compares || writes_m0(marker, target));
    let write = |at: Inst, asms: Vec<RecordsAsm>, wait: LdsWait| {
        boundary(writer, at, kind, wait);
        for asm in asms {
            writer.before(at);
            asm.write(writer);
            boundary(writer, at, kind, wait);
        }
    };
    let prepare = |at: Inst, frame: Frame, markers: &[MarkerRecords]| -> Vec<RecordsAsm> {
        writer.before(at);
        markers.iter().map(|marker| RecordsAsm::prepare(writer, frame, &marker.records)).collect()
    };
    let between_hints = |frame: Frame, markers: &[MarkerRecords], wait: LdsWait| {
        let asms = prepare(at, frame, markers);
        writer.sched_barrier();
        write(at, asms, wait);
        writer.before(at);
        writer.sched_barrier();
    };
    let frame = placement.frame();
    match (scope.test(), placement.form) {
        (None, _) => {
            for marker in &markers {
                between_hints(frame, std::slice::from_ref(marker), LdsWait::AtFence);
            }
        }
        (test @ Some(_), ScopeForm::Asm) => {
            let waits_for_lds = kind == Boundary::Fence && placement.may_wait_for_lds;
            between_hints(Frame { test, waits_for_lds, ..frame }, &markers, LdsWait::InAsm);
        }
        (Some(_), ScopeForm::Cfg) => {
            writer.before(at);
            // Folded into a divergent branch, this one would cost three lane-mask instructions instead of two
            // scalar ones.
            if placement.hold_branch {
                writer.wave_barrier();
            }
            let Some(condition) = scope.condition(writer) else { return };
            let inside = at.split_if(condition, c"sqtt.trace", c"sqtt.skip");
            let asms = prepare(inside, placement.frame_in_trace(inside), &markers);
            write(inside, asms, LdsWait::AtFence);
            hold_memory(writer, inside, kind);
        }
    }
}

/// Holds loads and stores by a hint in a block of the filter's own where no boundary does.
pub(super) fn hold_memory(writer: &Writer<'_>, at: Inst, kind: Boundary) {
    if kind == Boundary::None {
        writer.before(at);
        writer.wave_barrier();
    }
}

/// Number of words chosen at run time that one asm may write: each is in a scalar register when the asm begins.
const WORDS_AT_ONCE: usize = 4;
/// Number of records that one asm may have, so that its branch reaches over them.
const RECORDS_AT_ONCE: usize = 64;

/// Markers that stand together, in as few asms as make a difference: one test leads past all of an asm's, and where
/// two asms that write M0 stand together the compiler waits between them on gfx942.
fn joined(markers: &[MarkerRecords], gains: impl Fn(&MarkerRecords) -> bool) -> Vec<MarkerRecords> {
    let chosen = |marker: &MarkerRecords| marker.records.iter().filter(|it| it.is_chosen()).count();
    let mut joined: Vec<MarkerRecords> = Vec::new();
    for marker in markers {
        let fits = |last: &&mut MarkerRecords| {
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

fn writes_m0(marker: &MarkerRecords, target: Target) -> bool {
    marker.records.iter().any(|record| record.immediate(target).is_none())
}
