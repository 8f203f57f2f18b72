//! Calls of the trace intrinsics: what the early phase wrote, and what users wrote themselves.

use crate::calls::{TRACE, TRACE_IMMEDIATE};
use crate::llvm::{Function, Inst, Intrinsic, Module, Value};
use crate::notes::TAG;

/// The two intrinsics that write a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceIntrinsics {
    m0: Option<Intrinsic>,
    immediate: Option<Intrinsic>,
}

/// A call of one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TraceCall {
    pub(crate) call: Inst,
    pub(crate) function: Function,
    /// `s_ttracedata_imm`.
    pub(crate) immediate: bool,
    /// The tag that the early phase wrote on it; `None` on calls that are the user's.
    pub(crate) tag: Option<String>,
}

impl TraceCall {
    /// The word that it writes: a symbol until markers have their numbers.
    pub(crate) fn word(&self) -> Value {
        self.call.arguments()[0]
    }
}

impl TraceIntrinsics {
    /// Looks them up.
    pub(crate) fn find() -> Self {
        Self { m0: Intrinsic::named(TRACE), immediate: Intrinsic::named(TRACE_IMMEDIATE) }
    }

    /// True if an instruction calls one of them.
    pub(crate) fn is_call(self, inst: Inst) -> bool {
        inst.called_function().is_some_and(|function| self.has(function))
    }

    fn has(self, function: Function) -> bool {
        [self.m0, self.immediate].into_iter().flatten().any(|intrinsic| intrinsic.is(function))
    }

    /// Every call in the module, in order. Cheap for modules without any: the uses of two declarations are looked at.
    pub(crate) fn calls(self, module: Module) -> Vec<TraceCall> {
        let declared: Vec<Function> = module
            .functions()
            .into_iter()
            .filter(|function| self.has(*function) && !function.value().users().is_empty())
            .collect();
        if declared.is_empty() {
            return Vec::new();
        }
        let mut calls = Vec::new();
        for function in module.definitions() {
            for call in function.walk() {
                let Some(callee) = call.called_function().filter(|callee| declared.contains(callee)) else {
                    continue;
                };
                calls.push(TraceCall {
                    call,
                    function,
                    immediate: self.immediate.is_some_and(|immediate| immediate.is(callee)),
                    tag: call.call_string_attribute(TAG),
                });
            }
        }
        calls
    }
}
