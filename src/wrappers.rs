//! Makes names visible, by as little change as does it.
//!
//! A wrapper such as `void scoped(const char *name) { sqtt_marker_enter(name); … }` hides the literal in its callers.
//! Only the calls that hide a name are inlined: never a recursive function, never one the user marked `noinline`
//! (at -O0, where every function is `noinline optnone`, the mark is not the user's), and never another callee of the
//! same function. Names that pass through local variables have these variables promoted.

use crate::boundary::Run;
use crate::llvm::{Function, Inst};
use crate::names::{Need, examine};
use crate::sites::Sentinels;
use std::collections::HashSet;

/// Inlined calls, at most: so many for each call that the module came with, and some. Wrappers that call wrappers
/// twice double at every level, and nobody means them to.
const INLINED_PER_CALL: usize = 16;
const INLINED_AT_LEAST: usize = 1_000;

/// Inlines and promotes until no name is hidden that could be seen. Returns whether the module changed.
///
/// A round does one kind of thing and looks again: what it changes may be what the others were about.
///
/// `last` says that no optimizer comes after: calls that may fill an object with a name are looked into as well.
pub(crate) fn reveal_names(run: Run, sentinels: &Sentinels, last: bool) -> bool {
    if sentinels.is_empty() {
        return false;
    }
    let mut state = State { budget: budget(run), ..State::default() };
    let mut changed = false;
    loop {
        let needs = hidden_names(run, sentinels);
        let progress = promote(run, &needs, &mut state)
            || inline_into_callers(&needs, &mut state)
            || inline_callees(&needs, &mut state, |need| match need {
                Need::Callee(call) => Some(*call),
                _ => None,
            })
            || last
                && inline_callees(&needs, &mut state, |need| match need {
                    Need::Writer(call) => Some(*call),
                    _ => None,
                });
        if !progress {
            break;
        }
        changed = true;
    }
    remove_unused(state.callees);
    changed
}

/// What has been done so far.
#[derive(Default)]
struct State {
    /// Functions whose variables were promoted, and not changed since.
    promoted: HashSet<Function>,
    /// Functions that were inlined somewhere.
    callees: HashSet<Function>,
    inlined: usize,
    /// How many calls may be inlined.
    budget: usize,
}

fn budget(run: Run) -> usize {
    let calls = run
        .module
        .definitions()
        .into_iter()
        .flat_map(|function| function.instructions().collect::<Vec<_>>())
        .filter(|inst| inst.called_function().is_some_and(|callee| !callee.is_declaration()))
        .count();
    calls.saturating_mul(INLINED_PER_CALL).saturating_add(INLINED_AT_LEAST)
}

/// Removes functions that were inlined everywhere: code generators are not made for local functions that nothing uses.
fn remove_unused(mut callees: HashSet<Function>) {
    loop {
        let unused: Vec<Function> = callees
            .iter()
            .filter(|callee| callee.is_discardable() && callee.value().users().is_empty())
            .copied()
            .collect();
        if unused.is_empty() {
            return;
        }
        for callee in unused {
            callees.remove(&callee);
            callee.delete();
        }
    }
}

fn promote(run: Run, needs: &[Need], state: &mut State) -> bool {
    let mut progress = false;
    for need in needs {
        if let Need::Promotion(function) = need
            && state.promoted.insert(*function)
        {
            function.promote_allocas(run.analyses);
            progress = true;
        }
    }
    progress
}

fn inline_into_callers(needs: &[Need], state: &mut State) -> bool {
    let mut progress = false;
    for need in needs {
        if let Need::Callers(function) = need {
            progress |= inline(&function.direct_calls(), state);
        }
    }
    progress
}

fn inline_callees(needs: &[Need], state: &mut State, call: impl Fn(&Need) -> Option<Inst>) -> bool {
    let calls: Vec<Inst> = needs.iter().filter_map(call).collect();
    inline(&calls, state)
}

/// What hides names, in module order and without repetition.
fn hidden_names(run: Run, sentinels: &Sentinels) -> Vec<Need> {
    let mut seen = HashSet::new();
    let mut needs = Vec::new();
    for site in sentinels.sites(run.module) {
        let Some(pointer) = sentinels.name_of(site.call) else { continue };
        let examined = examine(run.module, pointer);
        needs.extend(examined.needs.into_iter().filter(|need| seen.insert(*need)));
    }
    needs
}

/// Inlines those of the calls that may be. Returns whether any was.
fn inline(calls: &[Inst], state: &mut State) -> bool {
    let mut progress = false;
    for call in calls {
        let Some(callee) = call.called_function() else { continue };
        let caller = call.function();
        if state.inlined >= state.budget || !may_inline(*call, callee) {
            continue;
        }
        if call.inline() {
            state.inlined += 1;
            state.callees.insert(callee);
            // Promotion after inlining sees more than it did before.
            state.promoted.remove(&caller);
            progress = true;
        }
    }
    progress
}

fn may_inline(call: Inst, callee: Function) -> bool {
    let users_noinline = (callee.has_attribute("noinline") && !callee.has_attribute("optnone"))
        || call.has_call_attribute("noinline");
    !callee.is_declaration()
        && !users_noinline
        && !callee.has_attribute("naked")
        && !call.is_musttail()
        && !reaches(callee, callee)
        && !reaches(callee, call.function())
}

/// Whether `from` calls `to`, directly or through others.
fn reaches(from: Function, to: Function) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for inst in function.instructions() {
            let Some(callee) = inst.called_function().filter(|callee| !callee.is_declaration()) else {
                continue;
            };
            if callee == to {
                return true;
            }
            if seen.insert(callee) {
                open.push(callee);
            }
        }
    }
    false
}
