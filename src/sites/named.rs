//! Named markers: calls of the sentinels.
//!
//! A sentinel is a function that is only declared, has one of the two sets of names and the signature that goes with
//! it. A function of that name with a body or another signature is the user's and stays the user's.

use crate::ledger::Kind;
use crate::llvm::{CallShape, Function, Inst, Module, Value};
use inkwell::llvm_sys::LLVMOpcode;
use std::collections::HashMap;

/// What a sentinel asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sentinel {
    /// Open a scope.
    Enter,
    /// Close the top scope.
    Exit,
    /// Record an event.
    Point,
    /// Record an event with a payload.
    Data,
}

/// Both spellings: the specification's, and the newer public one.
const NAMES: [(&str, Sentinel); 8] = [
    ("__sqtt_named_marker_enter", Sentinel::Enter),
    ("__sqtt_named_marker_exit", Sentinel::Exit),
    ("__sqtt_named_marker_point", Sentinel::Point),
    ("__sqtt_named_marker_data", Sentinel::Data),
    ("sqtt_marker_enter", Sentinel::Enter),
    ("sqtt_marker_exit", Sentinel::Exit),
    ("sqtt_marker_point", Sentinel::Point),
    ("sqtt_marker_data", Sentinel::Data),
];

impl Sentinel {
    fn extra_words(self) -> usize {
        usize::from(self == Self::Data)
    }

    /// What kind of name it carries; an exit's name says nothing that the trace needs.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Enter => Some(Kind::User),
            Self::Point => Some(Kind::Point),
            Self::Data => Some(Kind::Data),
            Self::Exit => None,
        }
    }
}

/// The sentinels that a module declares.
pub(crate) struct Sentinels {
    known: HashMap<Function, Sentinel>,
    /// What bears a sentinel's name and is none, with the reason.
    pub(crate) not_ours: Vec<String>,
}

/// A call of a sentinel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NamedSite {
    pub(crate) call: Inst,
    pub(crate) function: Function,
}

impl Sentinels {
    /// Looks the module's declarations over.
    pub(crate) fn find(module: Module) -> Self {
        let mut known = HashMap::new();
        let mut not_ours = Vec::new();
        for function in module.functions() {
            let name = function.name();
            let Some((_, sentinel)) = NAMES.iter().find(|(known, _)| *known == name) else { continue };
            if !function.is_declaration() {
                not_ours.push(format!("function {name} has a body: it is not a marker and stays as it is"));
            } else if !function.takes_pointer_and_words(sentinel.extra_words()) {
                not_ours
                    .push(format!("function {name} has not the signature of a marker and stays as it is"));
            } else {
                known.insert(function, *sentinel);
            }
        }
        Self { known, not_ours }
    }

    /// Whether the module declares none.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The sentinel that an instruction calls.
    pub(crate) fn called_by(&self, inst: Inst) -> Option<Sentinel> {
        self.known.get(&inst.called_function()?).copied()
    }

    /// All calls, in module order.
    pub(crate) fn sites(&self, module: Module) -> Vec<NamedSite> {
        if self.is_empty() {
            return Vec::new();
        }
        module
            .definitions()
            .into_iter()
            .flat_map(|function| function.walk().map(move |call| NamedSite { call, function }))
            .filter(|site| self.called_by(site.call).is_some())
            .collect()
    }

    /// Uses that are no plain calls: an address taken, a call of another type, a `callbr`.
    pub(crate) fn other_uses(&self) -> Vec<Value> {
        let mut uses: Vec<Value> = self
            .known
            .keys()
            .flat_map(|function| function.value().users())
            .filter(|user| {
                !user.as_inst().is_some_and(|inst| {
                    self.called_by(inst).is_some()
                        && inst.call_shape() != Some(CallShape::CallBr)
                        && inst.arguments().iter().all(|argument| {
                            argument.as_function().is_none_or(|function| !self.known.contains_key(&function))
                        })
                })
            })
            .collect();
        uses.dedup();
        uses
    }
}

/// Whether an instruction is no code: it may stand between two markers that are next to each other in the source.
pub(crate) fn is_transparent(inst: Inst) -> bool {
    inst.called_function().is_some_and(|function| {
        let name = function.name();
        ["llvm.dbg.", "llvm.lifetime.", "llvm.pseudoprobe"].iter().any(|prefix| name.starts_with(prefix))
    })
}

impl NamedSite {
    /// The next call behind this one with nothing between but debug information, lifetimes, and the reading of its own
    /// arguments.
    pub(crate) fn neighbour(self) -> Option<Inst> {
        let mut arguments: Vec<Inst> = Vec::new();
        let mut next = self.call.next();
        while let Some(inst) = next {
            if is_argument_code(inst) {
                arguments.push(inst);
            } else if !is_transparent(inst) {
                break;
            }
            next = inst.next();
        }
        let call = next?;
        let serves_call = |inst: &Inst| {
            inst.value()
                .users()
                .into_iter()
                .all(|user| user.as_inst().is_some_and(|user| user == call || arguments.contains(&user)))
        };
        arguments.iter().all(serves_call).then_some(call)
    }
}

/// What evaluating a name may consist of: none of it does anything.
fn is_argument_code(inst: Inst) -> bool {
    matches!(
        inst.opcode(),
        LLVMOpcode::LLVMGetElementPtr
            | LLVMOpcode::LLVMAddrSpaceCast
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMFreeze
            | LLVMOpcode::LLVMSelect
    ) || inst.is_plain_load()
}
