//! The header's numeric markers → the trace intrinsics that they stand for, which get the same form as all others.

use crate::llvm::write::Writer;
use crate::llvm::{Function, Inst, SourcePlace};
use crate::run::Run;
use crate::sites::{NumberAsm, NumericWords, TraceIntrinsics, number_asms};
use crate::target::Target;
use sqtt_format::Marker;
use std::collections::HashSet;

/// Replaces them in functions for targets that the table knows; elsewhere they are left as they are.
pub(crate) fn lower_numbers(run: Run) {
    let writer = Writer::new(run.module);
    for NumberAsm { call, word } in number_asms(run.module) {
        if Target::of(call.function()).is_none() {
            continue;
        }
        writer.before(call);
        writer.number_intrinsic(word);
        call.erase_with_result();
    }
}

/// Warns where a constant makes a marker of id 0. Comes before anything is inlined. Clang has
/// warned of constants that are given right to the header.
pub(crate) fn warn_of_zero(run: Run) {
    let calls = TraceIntrinsics::find().calls(run.module);
    let mut told = HashSet::new();
    for (word, site) in NumericWords::of(run.module, &calls).constants {
        // Two arms may choose the same constant.
        if !told.insert((word, site)) {
            continue;
        }
        let marker = Marker::from_word(word);
        if marker.id != 0 || marker == Marker::EXIT || is_given_to_header(site) {
            continue;
        }
        let place = SourcePlace::of(site);
        if marker.enter {
            run.warn_at(
                &place,
                "entering scope 0 records a reserved word that decoders ignore, but its exit still closes a scope; use \
                 a number from 1",
            );
        } else if !is_built_in(site) {
            run.warn_at(&place, "marker id 0 is reserved, and decoders ignore it; use a number from 1");
        }
    }
}

fn is_given_to_header(site: Inst) -> bool {
    site.called_function().is_some_and(|callee| callee.has_attribute("alwaysinline"))
        && site.arguments().iter().any(|argument| argument.as_int() == Some(0))
}

fn is_built_in(site: Inst) -> bool {
    site.called_function().is_some_and(Function::is_intrinsic)
}
