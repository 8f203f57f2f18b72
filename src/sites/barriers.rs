//! Barriers, and where their points go (specification, "Barrier marker placement").
//!
//! | pattern | point |
//! |---|---|
//! | a whole barrier | `barrier`, before it |
//! | a signal, unpaired | `barrier_signal`, after it |
//! | a wait, unpaired | `barrier_wait`, before it |
//! | a signal directly followed by its wait | one `barrier` between them |
//! | join, leave (named barriers) | `barrier_join`, `barrier_leave`, after it |
//!
//! Asm that the user wrote is not looked into.

use super::{TraceIntrinsics, is_hint};
use crate::llvm::{Function, Inst, Module};
use sqtt_format::SystemPoint;
use std::collections::HashMap;

/// The side of an instruction on which a point goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The place before the instruction.
    Before,
    /// The place right after it.
    Behind,
}

/// A place for one of the pass's own points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PointSite {
    pub(crate) point: SystemPoint,
    pub(crate) side: Side,
    pub(crate) inst: Inst,
}

/// The role of an intrinsic at a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Arrives and waits.
    Whole,
    /// Arrives at the barrier whose number is its first argument.
    Signal,
    /// Arrives at a named barrier: the one that its pointer names.
    SignalNamed,
    /// Waits.
    Wait,
    /// Becomes a member of a named barrier.
    Join,
    /// Stops being one.
    Leave,
    /// Nothing that a wave does at a barrier.
    Unmarked,
}

/// Every intrinsic of LLVM 19 and 22 that has to do with barriers. docs/barriers.md says why.
const RULES: [(&str, Role); 18] = [
    ("llvm.amdgcn.s.barrier", Role::Whole),
    ("llvm.amdgcn.s.cluster.barrier", Role::Whole),
    ("llvm.amdgcn.s.barrier.signal", Role::Signal),
    ("llvm.amdgcn.s.barrier.signal.isfirst", Role::Signal),
    ("llvm.amdgcn.s.barrier.signal.var", Role::SignalNamed),
    ("llvm.amdgcn.s.barrier.signal.isfirst.var", Role::SignalNamed),
    ("llvm.amdgcn.s.barrier.wait", Role::Wait),
    ("llvm.amdgcn.s.barrier.join", Role::Join),
    ("llvm.amdgcn.s.barrier.leave", Role::Leave),
    ("llvm.amdgcn.s.barrier.init", Role::Unmarked),
    ("llvm.amdgcn.s.wakeup.barrier", Role::Unmarked),
    ("llvm.amdgcn.s.get.barrier.state", Role::Unmarked),
    ("llvm.amdgcn.s.get.named.barrier.state", Role::Unmarked),
    ("llvm.amdgcn.wave.barrier", Role::Unmarked),
    ("llvm.amdgcn.ds.gws.barrier", Role::Unmarked),
    ("llvm.amdgcn.ds.atomic.async.barrier.arrive.b64", Role::Unmarked),
    ("llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64", Role::Unmarked),
    ("llvm.amdgcn.sched.barrier", Role::Unmarked),
];

/// The barriers of a module.
struct Barriers {
    roles: HashMap<Function, Role>,
    traces: TraceIntrinsics,
}

/// The places for the points of the functions' barriers.
pub(crate) fn barrier_sites(module: Module, functions: &[Function]) -> Vec<PointSite> {
    let roles: HashMap<Function, Role> = module
        .functions()
        .into_iter()
        .filter(|function| function.is_intrinsic())
        .filter_map(|function| {
            let name = function.name();
            let (_, role) = RULES.iter().find(|(known, _)| *known == name)?;
            (*role != Role::Unmarked && !function.value().users().is_empty()).then_some((function, *role))
        })
        .collect();
    if roles.is_empty() {
        return Vec::new();
    }
    let barriers = Barriers { roles, traces: TraceIntrinsics::find() };
    functions.iter().flat_map(|function| function.walk()).filter_map(|inst| barriers.site(inst)).collect()
}

impl Barriers {
    fn role(&self, inst: Inst) -> Option<Role> {
        self.roles.get(&inst.called_function()?).copied()
    }

    fn site(&self, inst: Inst) -> Option<PointSite> {
        let site = |point, side| Some(PointSite { point, side, inst });
        match self.role(inst)? {
            Role::Whole => site(SystemPoint::Barrier, Side::Before),
            Role::Signal | Role::SignalNamed => {
                let paired = self.after(inst).is_some_and(|wait| self.are_pair(inst, wait));
                site(if paired { SystemPoint::Barrier } else { SystemPoint::BarrierSignal }, Side::Behind)
            }
            Role::Wait => {
                let paired = self.before(inst).is_some_and(|signal| self.are_pair(signal, inst));
                if paired { None } else { site(SystemPoint::BarrierWait, Side::Before) }
            }
            Role::Join => site(SystemPoint::BarrierJoin, Side::Behind),
            Role::Leave => site(SystemPoint::BarrierLeave, Side::Behind),
            Role::Unmarked => None,
        }
    }

    /// True if a wait is for the barrier of a signal: the numbers agree; those above 0 are named barriers.
    fn are_pair(&self, signal: Inst, wait: Inst) -> bool {
        if self.role(wait) != Some(Role::Wait) {
            return false;
        }
        let number = |inst: Inst, bits: u32| {
            let value = inst.arguments().first()?.as_int()?;
            // Sign-extended from the argument's own width.
            Some((value << (64 - bits)).cast_signed() >> (64 - bits))
        };
        match self.role(signal) {
            Some(Role::Signal) => number(signal, 32).is_some() && number(signal, 32) == number(wait, 16),
            Some(Role::SignalNamed) => number(wait, 16).is_some_and(|barrier| barrier > 0),
            _ => false,
        }
    }

    /// The next instruction that is neither a hint nor a marker.
    fn after(&self, inst: Inst) -> Option<Inst> {
        std::iter::successors(inst.next(), |inst| inst.next()).find(|inst| !self.is_marker_code(*inst))
    }

    fn before(&self, inst: Inst) -> Option<Inst> {
        std::iter::successors(inst.previous(), |inst| inst.previous())
            .find(|inst| !self.is_marker_code(*inst))
    }

    fn is_marker_code(&self, inst: Inst) -> bool {
        is_hint(inst) || self.traces.is_call(inst)
    }
}
