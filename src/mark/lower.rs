//! Sentinel calls → trace calls of symbols. Both phases use it; they differ in what happens to names not visible.

use crate::known;
use crate::ledger::{MarkerAction, MarkerKind, MarkerLedger};
use crate::llvm::write::Writer;
use crate::llvm::{CallShape, Inst, Location, SourcePlace};
use crate::mark::names::{Examined, Words};
use crate::mark::wrappers::ExaminedSite;
use crate::notes::FUSED;
use crate::run::{PassError, Run};
use crate::sites::{LiveFunctions, Sentinel, Sentinels};
use crate::target::Target;
use std::collections::{HashMap, HashSet};

/// The treatment of a marker whose name is not visible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// It stays a sentinel, for the late phase.
    Leave,
    /// It gets a name made of its place, and a warning.
    Name,
}

/// The treatment of one site.
enum Plan {
    /// It goes without a trace: nothing will ever run it.
    Drop,
    /// It stays as it is.
    Keep,
    /// The word 1.
    Exit,
    /// A word with an id, and perhaps a payload.
    Header(MarkerKind, MarkerAction),
}

/// Lowers what can be lowered.
pub(crate) fn lower_sentinels(
    run: Run,
    sentinels: &Sentinels,
    sites: Vec<ExaminedSite>,
    ledger: &mut MarkerLedger,
    unseen: Unseen,
) -> Result<(), PassError> {
    if sentinels.is_empty() {
        return Ok(());
    }
    let sites = calls_only(sites, sentinels)?;
    if let Some((name, user)) = sentinels.other_uses().first() {
        let what = format!("the marker {name} is used other than by a plain call; call it directly");
        return Err(PassError::at(SourcePlace::of_use(*user), what));
    }
    let live = (unseen == Unseen::Name).then(|| LiveFunctions::of(run.module));
    check_targets(&sites, live.as_ref())?;
    let plans = plan(&sites, sentinels, live.as_ref(), unseen);
    let writer = Writer::new(run.module);
    let mut written = HashMap::new();
    let mut unnamed = Vec::new();
    for (ExaminedSite { call, name: examined }, plan) in sites.into_iter().zip(plans) {
        match plan {
            Plan::Keep => continue,
            Plan::Drop => {}
            Plan::Exit => {
                writer.before(call);
                writer.marker_calls(writer.word(sqtt_format::Marker::EXIT_FLAG), &[]);
            }
            Plan::Header(kind, action) => {
                let fallback = fallback_name(call);
                let words = written.remove(&(kind, action)).unwrap_or_default();
                let mut names = Words {
                    module: run.module,
                    writer: &writer,
                    ledger,
                    kind,
                    action,
                    fallback: fallback.as_bytes(),
                    written: words,
                    fell_back: false,
                };
                let (Some(name), Some(examined)) = (sentinels.name_of(call), examined) else { continue };
                let word = names.build(name, &examined);
                if names.fell_back {
                    unnamed.push((SourcePlace::of(call), fallback.clone()));
                } else {
                    written.insert((kind, action), names.written);
                }
                writer.before(call);
                let value = call.arguments().get(1).copied();
                let payload = match (sentinels.called_by(call), value) {
                    (Some(Sentinel::Data(kind)), Some(value)) => writer.value_words(value, kind),
                    _ => Vec::new(),
                };
                let header = writer.marker_calls(word, &payload);
                // A payload may be refused later: by the shader clock.
                if !payload.is_empty() {
                    header.take_srcloc_of(call);
                }
            }
        }
        call.erase();
    }
    warn_unnamed(run, unnamed);
    Ok(())
}

/// Turns invokes into calls; device code has nothing to unwind to.
fn calls_only(mut sites: Vec<ExaminedSite>, sentinels: &Sentinels) -> Result<Vec<ExaminedSite>, PassError> {
    for ExaminedSite { call, .. } in &mut sites {
        match call.call_shape() {
            Some(CallShape::Invoke) => *call = call.invoke_to_call(),
            Some(CallShape::CallBr) => {
                let what = "a marker cannot be the target of callbr".to_owned();
                return Err(PassError::at(SourcePlace::of(*call), what));
            }
            Some(CallShape::Call) | None => {}
        }
    }
    sites.retain(|site| sentinels.called_by(site.call).is_some());
    Ok(sites)
}

/// Named markers need a target that the table knows: better an error than an undefined symbol at link.
fn check_targets(sites: &[ExaminedSite], live: Option<&LiveFunctions>) -> Result<(), PassError> {
    let mut checked = HashSet::new();
    for ExaminedSite { call, .. } in sites {
        let function = call.function();
        if !checked.insert(function) || live.is_some_and(|live| !live.contains(function)) {
            continue;
        }
        if Target::of(function).is_none() {
            return Err(known::unsupported(SourcePlace::of(*call), function));
        }
    }
    Ok(())
}

fn plan(
    sites: &[ExaminedSite],
    sentinels: &Sentinels,
    live: Option<&LiveFunctions>,
    unseen: Unseen,
) -> Vec<Plan> {
    sites
        .iter()
        .map(|ExaminedSite { call, name }| {
            if live.is_some_and(|live| !live.contains(call.function())) {
                return Plan::Drop;
            }
            let Some(sentinel) = sentinels.called_by(*call) else { return Plan::Keep };
            let Some(kind) = sentinel.kind() else { return Plan::Exit };
            let is_visible = name.as_ref().is_some_and(Examined::is_visible);
            if unseen == Unseen::Leave && !is_visible {
                return Plan::Keep;
            }
            let after_exit = call.call_string_attribute(FUSED).is_some();
            Plan::Header(
                kind,
                match (sentinel, after_exit) {
                    (Sentinel::Enter | Sentinel::EnterGuard, true) => MarkerAction::ExitEnter,
                    (Sentinel::Enter | Sentinel::EnterGuard, false) => MarkerAction::Enter,
                    _ => MarkerAction::Point,
                },
            )
        })
        .collect()
}

fn fallback_name(call: Inst) -> String {
    let place = call
        .location()
        .and_then(Location::file_and_line)
        .unwrap_or_else(|| format!("function {}", call.function().name()));
    format!("unnamed marker at {place}")
}

/// Warns of markers that got their fallback name. Code that was copied has the same marker at many places: what would
/// read the same is said once, and of the calls that lead to one marker no more than a handful are named.
fn warn_unnamed(run: Run, unnamed: Vec<(SourcePlace, String)>) {
    const CALLERS: usize = 8;
    let mut said = HashSet::new();
    let mut of_marker: HashMap<(u64, String, String), (SourcePlace, usize)> = HashMap::new();
    let mut order = Vec::new();
    for (place, fallback) in unnamed {
        let (cookie, line) = place.source();
        let key = (cookie, line, fallback);
        let what = format!(
            "the name of this marker is empty or not known at compile time; it is called \"{}\"",
            key.2
        );
        if !said.insert((cookie, place.with(&what))) {
            continue;
        }
        let (_, count) = of_marker.entry(key.clone()).or_insert_with(|| {
            order.push(key);
            (place.clone(), 0)
        });
        *count += 1;
        if *count <= CALLERS {
            run.warn_at(&place, &what);
        }
    }
    for (place, count) in order.iter().filter_map(|key| of_marker.get(key)) {
        if *count > CALLERS {
            let more = count - CALLERS;
            run.warn_at(&place.without_callers(), &format!("the same for {more} more ways to this marker"));
        }
    }
}
