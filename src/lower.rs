//! Sentinel calls → trace calls of symbols. Both phases use it; they differ in what happens to names not visible.

use crate::boundary::{PassError, Run};
use crate::ledger::{Action, Kind, Ledger};
use crate::llvm::write::Writer;
use crate::llvm::{CallShape, Inst, Location, Severity};
use crate::names::{Words, examine};
use crate::sites::{LiveFunctions, NamedSite, Sentinel, Sentinels};
use crate::target::{self, Target};
use std::collections::{HashMap, HashSet};

/// What happens to a marker whose name is not visible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// It stays a sentinel, for the late phase.
    Leave,
    /// It gets a name made of its place, and a warning.
    Name,
}

/// Tags of trace calls (the string attribute [`crate::ledger::TAG`]).
pub(crate) mod tag {
    /// A header without payload.
    pub(crate) const HEADER: &str = "header";
    /// A header whose payload is the next trace call.
    pub(crate) const DATA: &str = "data";
    /// A payload.
    pub(crate) const PAYLOAD: &str = "payload";
    /// The header of the addresses of the operation that follows.
    pub(crate) const ADDRESSES: &str = "addresses";
}

/// On an `enter` whose `exit` stood directly before it.
const FUSED: &str = "sqtt.fused";

/// Takes away every `exit` that is directly followed by an `enter` and leaves a note on the `enter`: one record does
/// both. Comes before anything is inlined, so that what is fused is what stands together in the source, at every
/// optimization level. Returns whether there was one.
pub(crate) fn fuse(run: Run, sentinels: &Sentinels) -> bool {
    let pairs: Vec<(NamedSite, Inst)> = sentinels
        .sites(run.module)
        .into_iter()
        .filter(|site| is_call(site.call, sentinels, Sentinel::Exit))
        .filter_map(|site| Some((site, site.neighbour()?)))
        .filter(|(_, next)| is_call(*next, sentinels, Sentinel::Enter))
        .collect();
    let writer = Writer::new(run.module);
    for (exit, enter) in &pairs {
        writer.tag(*enter, FUSED, "");
        exit.call.erase();
    }
    !pairs.is_empty()
}

fn is_call(inst: Inst, sentinels: &Sentinels, sentinel: Sentinel) -> bool {
    inst.call_shape() == Some(CallShape::Call) && sentinels.called_by(inst) == Some(sentinel)
}

/// What to do with one site.
enum Plan {
    /// It goes without a trace: nothing will ever run it.
    Drop,
    /// It stays as it is.
    Keep,
    /// The word 1.
    Exit,
    /// A word with an id, and perhaps a payload.
    Header(Kind, Action),
}

/// The intrinsic that stands for a record until the late phase.
pub(crate) const TRACE: &str = "llvm.amdgcn.s.ttracedata";

/// Lowers what can be lowered. Returns whether the module changed.
pub(crate) fn lower_sentinels(
    run: Run,
    sentinels: &Sentinels,
    ledger: &mut Ledger,
    unseen: Unseen,
) -> Result<bool, PassError> {
    if sentinels.is_empty() {
        return Ok(false);
    }
    let sites = calls_only(sentinels.sites(run.module), sentinels)?;
    if let Some(user) = sentinels.other_uses().first() {
        let place = user.as_inst().map_or_else(String::new, |inst| format!(" in {}", inst.function().name()));
        return Err(PassError::Module(format!(
            "a marker function is used other than by a plain call{place}; call it directly"
        )));
    }
    let live = (unseen == Unseen::Name).then(|| LiveFunctions::of(run.module));
    check_targets(&sites, live.as_ref())?;
    let plans = plan(run, &sites, sentinels, live.as_ref(), unseen);
    let writer = Writer::new(run.module);
    let mut written = HashMap::new();
    let mut changed = false;
    for (site, plan) in sites.into_iter().zip(plans) {
        match plan {
            Plan::Keep => continue,
            Plan::Drop => {}
            Plan::Exit => {
                writer.before(site.call);
                writer.marker_intrinsic(TRACE, &[writer.word(sqtt_format::Marker::EXIT_FLAG)], tag::HEADER);
            }
            Plan::Header(kind, action) => {
                let fallback = fallback_name(site);
                let words = written.remove(&(kind, action)).unwrap_or_default();
                let mut names = Words {
                    module: run.module,
                    writer: &writer,
                    ledger,
                    kind,
                    action,
                    fallback: fallback.as_bytes(),
                    written: words,
                };
                let arguments = site.call.arguments();
                let examined = examine(run.module, arguments[0]);
                let word = names.build(arguments[0], &examined);
                if examined.is_visible() {
                    written.insert((kind, action), names.written);
                } else {
                    warn_unnamed(run, site, &fallback);
                }
                writer.before(site.call);
                if kind == Kind::Data {
                    writer.marker_intrinsic(TRACE, &[word], tag::DATA);
                    writer.marker_intrinsic(TRACE, &[arguments[1]], tag::PAYLOAD);
                } else {
                    writer.marker_intrinsic(TRACE, &[word], tag::HEADER);
                }
            }
        }
        site.call.erase();
        changed = true;
    }
    Ok(changed)
}

/// Turns invokes into calls; device code has nothing to unwind to.
fn calls_only(sites: Vec<NamedSite>, sentinels: &Sentinels) -> Result<Vec<NamedSite>, PassError> {
    sites
        .into_iter()
        .map(|site| match site.call.call_shape() {
            Some(CallShape::Invoke) => Ok(NamedSite { call: site.call.invoke_to_call(), ..site }),
            Some(CallShape::CallBr) => Err(PassError::Module(format!(
                "{}: a marker cannot be the target of callbr",
                site.function.name()
            ))),
            Some(CallShape::Call) | None => Ok(site),
        })
        .filter(|site| site.as_ref().map_or(true, |site| sentinels.called_by(site.call).is_some()))
        .collect()
}

/// Named markers need a target that the table knows: better an error than an undefined symbol at link.
fn check_targets(sites: &[NamedSite], live: Option<&LiveFunctions>) -> Result<(), PassError> {
    let mut checked = HashSet::new();
    for site in sites {
        if !checked.insert(site.function) || live.is_some_and(|live| !live.contains(site.function)) {
            continue;
        }
        let cpu = site.function.string_attribute("target-cpu");
        if cpu.as_deref().and_then(Target::from_cpu).is_none() {
            return Err(target::unsupported(site.function, cpu.as_deref()));
        }
    }
    Ok(())
}

fn plan(
    run: Run,
    sites: &[NamedSite],
    sentinels: &Sentinels,
    live: Option<&LiveFunctions>,
    unseen: Unseen,
) -> Vec<Plan> {
    sites
        .iter()
        .map(|site| {
            if live.is_some_and(|live| !live.contains(site.function)) {
                return Plan::Drop;
            }
            let Some(sentinel) = sentinels.called_by(site.call) else { return Plan::Keep };
            let Some(kind) = sentinel.kind() else { return Plan::Exit };
            let visible = || examine(run.module, site.call.arguments()[0]).is_visible();
            if unseen == Unseen::Leave && !visible() {
                return Plan::Keep;
            }
            let after_exit = site.call.call_string_attribute(FUSED).is_some();
            Plan::Header(
                kind,
                match (sentinel, after_exit) {
                    (Sentinel::Enter, true) => Action::ExitEnter,
                    (Sentinel::Enter, false) => Action::Enter,
                    _ => Action::Point,
                },
            )
        })
        .collect()
}

/// Where an instruction is, for messages.
pub(crate) fn place(inst: Inst) -> String {
    inst.location()
        .and_then(Location::chain)
        .unwrap_or_else(|| format!("function {}", inst.function().name()))
}

fn fallback_name(site: NamedSite) -> String {
    let place = site
        .call
        .location()
        .and_then(Location::file_and_line)
        .unwrap_or_else(|| format!("function {}", site.function.name()));
    format!("unnamed marker at {place}")
}

fn warn_unnamed(run: Run, site: NamedSite, fallback: &str) {
    run.module.diagnose(
        Severity::Warning,
        &format!(
            "sqtt: {}: the name of this marker is empty or not known at compile time; it is called \"{fallback}\"",
            place(site.call)
        ),
    );
}
