//! The late phase, after the optimizer (at -O0, where nothing ran before, the only one).
//!
//! 1. Sentinels that are left become trace calls; a name that cannot be known becomes its place, with a warning.
//! 2. Every marker that still exists gets its number. Numbers that the users' own markers use are left out.
//! 3. The symbols become words, and every trace call takes its final form (see [`crate::emit`]).
//! 4. The funcmap is written.
//!
//! A second run finds neither sentinels nor trace calls and a map that lists the kernels: it changes nothing.

use crate::boundary::{PassError, Run};
use crate::emit::{Form, Record, marker};
use crate::funcmap;
use crate::ledger::{Action, EntryId, Ledger, METADATA, symbol};
use crate::llvm::write::Writer;
use crate::llvm::{Severity, Value};
use crate::lower::{Unseen, fuse, lower_sentinels, place, tag};
use crate::sites::{LiveFunctions, Sentinels, TraceCall, TraceIntrinsics, constant_words};
use crate::target::Target;
use crate::wrappers::reveal_names;
use sqtt_format::Marker;
use std::collections::{BTreeMap, BTreeSet};

/// Runs the phase. Returns whether the module changed.
pub(crate) fn run(run: Run) -> Result<bool, PassError> {
    let sentinels = Sentinels::find(run.module);
    for reason in &sentinels.not_ours {
        run.module.diagnose(Severity::Warning, &format!("sqtt: {reason}"));
    }
    let had_ledger = run.module.named_metadata(METADATA).is_some();
    let mut ledger = Ledger::load(run.module);
    let mut changed = fuse(run, &sentinels);
    changed |= reveal_names(run, &sentinels);
    changed |= lower_sentinels(run, &sentinels, &mut ledger, Unseen::Name)?;

    let calls = TraceIntrinsics::find().calls(run.module);
    let existing = funcmap::existing(run.module);
    let reserved = reserved_ids(run, &calls, &existing);
    let ids = number(run, &ledger, &reserved)?;
    resolve_symbols(run, &ledger, &ids);
    changed |= emit(run, &calls)?;
    changed |= funcmap::write(run.module, &ledger, &ids, &existing)?;
    if had_ledger {
        run.module.erase_named_metadata(METADATA);
        changed = true;
    }
    if run.config.verbose {
        report(run, &calls, &ids, &reserved);
    }
    Ok(changed)
}

fn report(run: Run, calls: &[TraceCall], ids: &BTreeMap<EntryId, u32>, reserved: &BTreeSet<u32>) {
    let left_out: Vec<String> = reserved.iter().map(u32::to_string).collect();
    eprintln!(
        "sqtt: late: {}: {} trace calls, {} named markers, ids left to numeric markers: {}; {}",
        run.module.name(),
        calls.len(),
        ids.len(),
        if left_out.is_empty() { "none".to_owned() } else { left_out.join(" ") },
        run.config.describe()
    );
}

/// Ids that constants of the users' own markers use, and those of maps that are there already.
fn reserved_ids(run: Run, calls: &[TraceCall], existing: &sqtt_format::Funcmap) -> BTreeSet<u32> {
    let mut reserved: BTreeSet<u32> = existing.entries().iter().filter_map(sqtt_format::Entry::id).collect();
    for traced in calls.iter().filter(|traced| traced.tag.is_none()) {
        for (word, site) in constant_words(traced) {
            let word = Marker::from_word(word);
            if word.id == 0 && word.enter {
                let place = place(site);
                run.module.diagnose(
                    Severity::Warning,
                    &format!(
                        "sqtt: {place}: entering scope 0 records a reserved word that decoders ignore, but its exit \
                         still closes a scope; use a number from 1"
                    ),
                );
            }
            reserved.insert(word.id);
        }
    }
    reserved.remove(&0);
    reserved
}

/// Numbers from 1, in ledger order, for the markers that are still somewhere.
fn number(run: Run, ledger: &Ledger, reserved: &BTreeSet<u32>) -> Result<BTreeMap<EntryId, u32>, PassError> {
    if ledger.is_empty() {
        return Ok(BTreeMap::new());
    }
    let live = LiveFunctions::of(run.module);
    let mut free = (1..=Marker::MAX_ID).filter(|id| !reserved.contains(id));
    let mut ids = BTreeMap::new();
    for (entry, _) in ledger.entries() {
        let used = Action::ALL.iter().any(|action| {
            run.module.global(&symbol(entry, *action)).is_some_and(|global| is_used(global, &live, 0))
        });
        if used {
            let id = free.next().ok_or_else(|| PassError::Module("more markers than ids".to_owned()))?;
            ids.insert(entry, id);
        }
    }
    Ok(ids)
}

/// Whether an instruction of a live function uses the symbol, through whatever constants.
fn is_used(value: Value, live: &LiveFunctions, depth: usize) -> bool {
    const DEPTH: usize = 16;
    value.users().into_iter().any(|user| match user.as_inst() {
        Some(inst) => live.contains(inst.function()),
        None => depth > DEPTH || is_used(user, live, depth + 1),
    })
}

/// Puts the words where the symbols are.
fn resolve_symbols(run: Run, ledger: &Ledger, ids: &BTreeMap<EntryId, u32>) {
    let writer = Writer::new(run.module);
    for (entry, _) in ledger.entries() {
        for action in Action::ALL {
            let Some(global) = run.module.global(&symbol(entry, action)) else { continue };
            // Where no id was given only code that goes away uses the symbol: the reserved no-op.
            let word = ids.get(&entry).and_then(|id| word(*id, action)).unwrap_or(0);
            writer.resolve_symbol(global, word);
        }
    }
}

fn word(id: u32, action: Action) -> Option<u32> {
    match action {
        Action::Enter => Marker::enter(id),
        Action::ExitEnter => Marker::exit_enter(id),
        Action::Point => Marker::point(id),
    }
    .to_word()
}

/// Gives every trace call its final form. Returns whether there was one.
fn emit(run: Run, calls: &[TraceCall]) -> Result<bool, PassError> {
    let writer = Writer::new(run.module);
    let mut changed = false;
    let mut next = calls.iter().peekable();
    while let Some(traced) = next.next() {
        let cpu = traced.function.string_attribute("target-cpu");
        let Some(target) = cpu.as_deref().and_then(Target::from_cpu) else {
            if traced.tag.is_none() {
                continue;
            }
            return Err(PassError::Module(format!(
                "function {} has named markers, but its target-cpu is {}; markers are built for {}",
                traced.function.name(),
                cpu.as_deref().map_or("missing".to_owned(), |cpu| format!("{cpu:?}")),
                crate::target::SUPPORTED
            )));
        };
        // The operand is read again: the symbol it was is a word now.
        let word = |traced: &TraceCall| traced.call.arguments().first().copied().unwrap_or(traced.word);
        let mut records = vec![Record { word: word(traced), form: form(traced) }];
        let mut done = vec![traced.call];
        if traced.tag.as_deref() == Some(tag::DATA) {
            let payload = next.next_if(|next| {
                next.tag.as_deref() == Some(tag::PAYLOAD) && next.call.block() == traced.call.block()
            });
            let Some(payload) = payload else {
                return Err(PassError::Module(format!(
                    "internal error: a data marker in {} lost its payload on the way",
                    traced.function.name()
                )));
            };
            records.push(Record { word: word(payload), form: Form::M0 });
            done.push(payload.call);
        }
        let Some(last) = done.last().copied() else { continue };
        marker(&writer, last, target, &records);
        for call in done {
            call.erase();
        }
        changed = true;
    }
    Ok(changed)
}

fn form(traced: &TraceCall) -> Form {
    match (traced.tag.is_some(), traced.immediate) {
        (true, _) => Form::Shortest,
        (false, true) => Form::Immediate,
        // The user chose the instruction, and with it how the record looks in the trace.
        (false, false) => Form::M0,
    }
}
