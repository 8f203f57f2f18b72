//! Makes names visible, by as little change as does it.
//!
//! A wrapper such as `void scoped(const char *name) { sqtt_marker_enter(name); … }` hides the literal in its callers.
//! Only the calls that hide a name are inlined: never a recursive function, never one the user marked `noinline`
//! (at -O0, where every function is `noinline optnone`, the mark is not the user's), and never another callee of the
//! same function. Names that pass through local variables have these variables promoted.
//!
//! Wrappers that call wrappers twice double at every level. So a large one is not inlined: it gets a copy for each name
//! that it is called with.

use crate::llvm::{Function, Inst, Module};
use crate::mark::names::{Examined, Need, agreed_literal, examine};
use crate::run::Run;
use crate::sites::Sentinels;
use std::collections::{BTreeMap, HashSet};

/// Instructions of a wrapper that is inlined nevertheless.
const LARGE: usize = 256;

/// Instructions that all inlining and copying adds, at most: so many for each that the module came with, and some.
const ADDED_PER_INSTRUCTION: usize = 8;
const ADDED_AT_LEAST: usize = 50_000;

/// The outcome of [`reveal_names`].
#[derive(Default)]
pub(crate) struct Revealed {
    /// The calls of sentinels, in module order, and what can be seen of their names now.
    pub(crate) sites: Vec<ExaminedSite>,
    /// Copies of functions, with what they are copies of.
    pub(crate) copies: Vec<(Function, Function)>,
}

/// A call of a sentinel, and what can be seen of its name; `None` where it needs no name.
pub(crate) struct ExaminedSite {
    pub(crate) call: Inst,
    pub(crate) name: Option<Examined>,
}

/// Inlines, copies and promotes until no name is hidden that could be seen.
///
/// A round does one kind of thing and looks again: what it changes may be what the others were about.
///
/// `last` says that no optimizer comes after: calls that may fill an object with a name are looked into as well.
pub(crate) fn reveal_names(run: Run, sentinels: &Sentinels, last: bool) -> Revealed {
    if sentinels.is_empty() {
        return Revealed::default();
    }
    let mut state = State::new(run.module);
    let mut sites = loop {
        let sites = examine_sites(run, sentinels);
        let needs = needs_of(&sites);
        let progress = promote(run, &needs, &mut state)
            || inline_into_callers(&needs, &mut state)
            || part_by_name(&needs, &mut state)
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
            break sites;
        }
    };
    if remove_unused(state.callees) {
        sites = examine_sites(run, sentinels);
    }
    Revealed { sites, copies: state.copies }
}

/// The work done so far.
struct State {
    module: Module,
    /// Functions whose variables were promoted, and not changed since.
    promoted: HashSet<Function>,
    /// Functions that were inlined somewhere.
    callees: HashSet<Function>,
    copies: Vec<(Function, Function)>,
    /// Number of instructions that may still be added.
    budget: usize,
}

impl State {
    fn new(module: Module) -> Self {
        let instructions: usize =
            module.definitions().into_iter().map(|function| function.walk().count()).sum();
        Self {
            module,
            promoted: HashSet::new(),
            callees: HashSet::new(),
            copies: Vec::new(),
            budget: instructions.saturating_mul(ADDED_PER_INSTRUCTION).saturating_add(ADDED_AT_LEAST),
        }
    }

    /// Takes what a copy of the function adds off the budget. Returns whether there was so much.
    fn pays_for(&mut self, function: Function) -> bool {
        let left = self.budget.checked_sub(function.walk().count());
        self.budget = left.unwrap_or(self.budget);
        left.is_some()
    }
}

/// Removes functions that were inlined everywhere: code generators are not made for local functions that nothing uses.
/// Returns true if there were any.
fn remove_unused(mut callees: HashSet<Function>) -> bool {
    let mut is_any = false;
    loop {
        let unused: Vec<Function> = callees
            .iter()
            .filter(|callee| callee.is_discardable() && callee.value().users().is_empty())
            .copied()
            .collect();
        if unused.is_empty() {
            return is_any;
        }
        is_any = true;
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
        if let Need::Callers(function, argument) = need
            && (argument.is_none() || !is_large(*function))
        {
            progress |= inline(&function.direct_calls(), state);
        }
    }
    progress
}

fn is_large(function: Function) -> bool {
    function.walk().nth(LARGE).is_some()
}

/// Gives a large function whose argument leads to a name a copy for each name that it is called with; where its callers
/// got the name as an argument themselves, the outermost of them. One function at a time: the next look sees the rest.
fn part_by_name(needs: &[Need], state: &mut State) -> bool {
    let mut seen = HashSet::new();
    let argument = |need: &Need| match need {
        Need::Callers(function, Some(argument)) => Some((*function, *argument)),
        _ => None,
    };
    let mut open: Vec<(Function, usize)> = needs.iter().filter_map(argument).collect();
    while let Some((function, index)) = open.pop() {
        if !seen.insert((function, index)) {
            continue;
        }
        let mut by_name: BTreeMap<Vec<u8>, Vec<Inst>> = BTreeMap::new();
        let mut hidden = Vec::new();
        for call in function.direct_calls() {
            let Some(pointer) = call.arguments().get(index).copied() else { continue };
            match agreed_literal(state.module, pointer, 0).filter(|_| may_inline(call, function)) {
                Some(name) => by_name.entry(name).or_default().push(call),
                None => hidden.push(pointer),
            }
        }
        // The function itself is for what is not known, or else for the first name.
        let own = usize::from(hidden.is_empty() && function.all_calls().is_some());
        let mut progress = false;
        for calls in by_name.into_values().skip(own) {
            if !state.pays_for(function) {
                break;
            }
            let Some(copy) = function.copy() else { break };
            state.copies.push((copy, function));
            for call in calls {
                call.redirect(copy);
            }
            progress = true;
        }
        if progress {
            return true;
        }
        for pointer in hidden {
            open.extend(examine(state.module, pointer).needs.iter().filter_map(argument));
        }
    }
    false
}

fn inline_callees(needs: &[Need], state: &mut State, call: impl Fn(&Need) -> Option<Inst>) -> bool {
    let calls: Vec<Inst> = needs.iter().filter_map(call).collect();
    inline(&calls, state)
}

fn examine_sites(run: Run, sentinels: &Sentinels) -> Vec<ExaminedSite> {
    let name = |call| sentinels.name_of(call).map(|name| examine(run.module, name));
    sentinels.calls(run.module).into_iter().map(|call| ExaminedSite { call, name: name(call) }).collect()
}

/// The reasons why names are hidden, in module order and without repetition.
fn needs_of(sites: &[ExaminedSite]) -> Vec<Need> {
    let mut seen = HashSet::new();
    let needs = sites.iter().filter_map(|site| site.name.as_ref()).flat_map(|name| &name.needs);
    needs.copied().filter(|need| seen.insert(*need)).collect()
}

/// Inlines those of the calls that may be. Returns whether any was.
fn inline(calls: &[Inst], state: &mut State) -> bool {
    let mut progress = false;
    for call in calls {
        let Some(callee) = call.called_function() else { continue };
        let caller = call.function();
        if !may_inline(*call, callee) || !state.pays_for(callee) {
            continue;
        }
        if call.inline() {
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

/// True if `from` calls `to`, directly or through others.
fn reaches(from: Function, to: Function) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(function) = open.pop() {
        for inst in function.walk() {
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
