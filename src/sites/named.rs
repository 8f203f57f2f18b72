//! Named markers: calls of the sentinels.
//!
//! A sentinel is a function that is only declared, has one of the known names and the signature that goes with it. A
//! function of that name with a body or another signature is the user's and stays the user's.

use crate::ledger::MarkerKind;
use crate::llvm::{CallShape, Function, Inst, Module, Parameter, SourcePlace, Value};
use std::collections::HashMap;

/// The request that a sentinel makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sentinel {
    /// Open a scope.
    Enter,
    /// Open a scope, as the constructor of a guard.
    EnterGuard,
    /// Close the top scope.
    Exit,
    /// Record an event.
    Point,
    /// Record an event with a value.
    Data(Parameter),
}

const WORD: Sentinel = Sentinel::Data(Parameter::Integer(32));

/// Both spellings, the specification's and the newer public one, and what only the header has: guards, and values of
/// other types than 32-bit integers.
const NAMES: [(&str, Sentinel); 19] = [
    ("__sqtt_named_marker_enter", Sentinel::Enter),
    ("__sqtt_named_marker_exit", Sentinel::Exit),
    ("__sqtt_named_marker_point", Sentinel::Point),
    ("__sqtt_named_marker_data", WORD),
    ("__sqtt_named_marker_data_i64", Sentinel::Data(Parameter::Integer(64))),
    ("__sqtt_named_marker_data_f16", Sentinel::Data(Parameter::Half)),
    ("__sqtt_named_marker_data_bf16", Sentinel::Data(Parameter::BFloat)),
    ("__sqtt_named_marker_data_f32", Sentinel::Data(Parameter::Float)),
    ("__sqtt_named_marker_data_f64", Sentinel::Data(Parameter::Double)),
    ("__sqtt_named_marker_data_p0", Sentinel::Data(Parameter::Pointer(&[0]))),
    ("__sqtt_named_marker_data_p1", Sentinel::Data(Parameter::Pointer(&[1]))),
    ("__sqtt_named_marker_data_p3", Sentinel::Data(Parameter::Pointer(&[3]))),
    ("__sqtt_named_marker_data_p4", Sentinel::Data(Parameter::Pointer(&[4]))),
    ("__sqtt_named_marker_data_p5", Sentinel::Data(Parameter::Pointer(&[5]))),
    ("__sqtt_named_scope_enter", Sentinel::EnterGuard),
    ("sqtt_marker_enter", Sentinel::Enter),
    ("sqtt_marker_exit", Sentinel::Exit),
    ("sqtt_marker_point", Sentinel::Point),
    ("sqtt_marker_data", WORD),
];

/// Address spaces of names: generic pointers, global memory, constants, local variables.
const NAME_SPACES: [u32; 4] = [0, 1, 4, 5];

impl Sentinel {
    /// The parameters that it has to have.
    fn parameters(self) -> Vec<Parameter> {
        const NAME: Parameter = Parameter::Pointer(&NAME_SPACES);
        match self {
            Self::Enter | Self::Exit | Self::Point => vec![NAME],
            Self::EnterGuard => vec![Parameter::Pointer(&[0]), NAME],
            Self::Data(value) => vec![NAME, value],
        }
    }

    /// The index of the argument that is the name.
    fn name_index(self) -> usize {
        usize::from(self == Self::EnterGuard)
    }

    /// The kind of marker that its name is for. An exit's name says nothing that the trace needs.
    pub(crate) fn kind(self) -> Option<MarkerKind> {
        match self {
            Self::Enter | Self::EnterGuard => Some(MarkerKind::User),
            Self::Point => Some(MarkerKind::Point),
            Self::Data(value) if value.bits() > 32 => Some(MarkerKind::Data64),
            Self::Data(_) => Some(MarkerKind::Data),
            Self::Exit => None,
        }
    }
}

/// The sentinels that a module declares.
pub(crate) struct Sentinels {
    known: HashMap<Function, Sentinel>,
    /// Functions with a sentinel's name that are none, with the reason.
    pub(crate) not_ours: Vec<(SourcePlace, String)>,
}

impl Sentinels {
    /// Looks the module's declarations over.
    pub(crate) fn find(module: Module) -> Self {
        let mut known = HashMap::new();
        let mut not_ours = Vec::new();
        for function in module.functions() {
            let name = function.name();
            let Some((_, sentinel)) = NAMES.iter().find(|(known, _)| *known == name) else { continue };
            let what = if !function.is_declaration() {
                "has a body: it is not a marker and stays as it is"
            } else if !function.takes(&sentinel.parameters()) {
                "has not the signature of a marker and stays as it is"
            } else {
                known.insert(function, *sentinel);
                continue;
            };
            let used = function.value().users().into_iter().find_map(Value::as_inst);
            let place = used.filter(|_| function.is_declaration()).map(SourcePlace::of);
            let what = format!("function {name} {what}");
            not_ours.push((place.unwrap_or_else(|| SourcePlace::of_function(function)), what));
        }
        Self { known, not_ours }
    }

    /// True if the module declares none.
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The sentinel that an instruction calls.
    pub(crate) fn called_by(&self, inst: Inst) -> Option<Sentinel> {
        self.known.get(&inst.called_function()?).copied()
    }

    /// All calls, in module order.
    pub(crate) fn calls(&self, module: Module) -> Vec<Inst> {
        if self.is_empty() {
            return Vec::new();
        }
        module.walk().filter(|call| self.called_by(*call).is_some()).collect()
    }

    /// The name that a call of a sentinel is given, where it needs one.
    pub(crate) fn name_of(&self, call: Inst) -> Option<Value> {
        let sentinel = self.called_by(call)?;
        sentinel.kind()?;
        call.arguments().get(sentinel.name_index()).copied()
    }

    /// Uses that are no plain calls: an address taken, a call of another type, a `callbr`. With the sentinel's name.
    pub(crate) fn other_uses(&self) -> Vec<(String, Value)> {
        let mut uses: Vec<(String, Value)> = self
            .known
            .keys()
            .flat_map(|function| function.value().users().into_iter().map(|user| (function.name(), user)))
            .filter(|(_, user)| {
                !user.as_inst().is_some_and(|inst| {
                    self.called_by(inst).is_some()
                        && inst.call_shape() != Some(CallShape::CallBr)
                        && inst.arguments().iter().all(|argument| {
                            argument.as_function().is_none_or(|function| !self.known.contains_key(&function))
                        })
                })
            })
            .collect();
        uses.sort_by(|(left, _), (right, _)| left.cmp(right));
        uses
    }
}

/// Takes from the sentinels that are called still what makes the compiler say that there is no plugin: it has said why
/// they were not replaced.
pub(crate) fn give_up_sentinels(module: Module) {
    for function in module.functions().into_iter().filter(|function| function.is_declaration()) {
        if NAMES.iter().any(|(name, _)| *name == function.name()) {
            function.remove_string_attribute("dontcall-error");
        }
    }
}

/// True if an instruction is no code: it may stand between two markers that are next to each other in the source.
pub(crate) fn is_transparent(inst: Inst) -> bool {
    inst.called_function().is_some_and(|function| {
        let name = function.name();
        ["llvm.dbg.", "llvm.lifetime.", "llvm.pseudoprobe"].iter().any(|prefix| name.starts_with(prefix))
    })
}
