//! From a folder to its living waves.

use std::collections::{BTreeMap, HashMap, HashSet};

use sqtt_decoder::stream::{CloseReason, Event, EventKind, MarkerStream, Wave};
use sqtt_decoder::trace::{Beginning, Trace};
use sqtt_decoder::{Filter, Ledger, RemarkKind, Threads};
use sqtt_format::{Entry, EntryKind, Printable, SystemPoint};

use super::places::{WaitGroup, WaitGroups};
use super::{Ago, Group, Last, LastMarker, Note, Whereabouts, barriers};
use crate::names::NameStyle;

/// Losses of a wave after which no barrier is missing in its count.
const HARMLESS: [RemarkKind; 5] = [
    RemarkKind::UnknownId,
    RemarkKind::UnmatchedExit,
    RemarkKind::ExitWithoutEnter,
    RemarkKind::ScopeOpenAtWaveEnd,
    RemarkKind::ScopeOpenAtTraceEnd,
];

/// Losses of a folder after which words of any wave may be missing, or its end.
const OF_ALL: [RemarkKind; 4] =
    [RemarkKind::SkippedFile, RemarkKind::TruncatedFile, RemarkKind::MalformedRow, RemarkKind::UnknownToken];

/// Barriers of a wave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrivals {
    /// Number of arrivals.
    pub(super) count: u64,
    /// The last marker is that of a barrier or of a wait for one.
    pub(super) is_waiting: bool,
    /// It joined or left a named barrier.
    pub(super) is_named: bool,
}

impl Arrivals {
    fn take(&mut self, event: &Event<'_>) {
        let is_point = |entry: &&Entry| event.kind == EventKind::Point && entry.kind() == EntryKind::Point;
        let entry = event.entry.filter(is_point);
        let point = entry.and_then(|entry| SystemPoint::from_name(entry.name()));
        self.is_waiting = matches!(point, Some(SystemPoint::Barrier | SystemPoint::BarrierWait));
        self.count += u64::from(matches!(point, Some(SystemPoint::Barrier | SystemPoint::BarrierSignal)));
        self.is_named |= matches!(point, Some(SystemPoint::BarrierJoin | SystemPoint::BarrierLeave));
    }
}

/// A living wave.
pub(super) struct Living {
    pub(super) place: WaitGroup,
    pub(super) kernel: String,
    pub(super) stack: Vec<String>,
    pub(super) last: Option<LastMarker>,
    pub(super) ago: i64,
    pub(super) arrivals: Arrivals,
    /// It has no record at all.
    pub(super) is_silent: bool,
    pub(super) is_lossy: bool,
    slot: String,
}

/// The part of a thread.
#[derive(Default)]
struct Seen {
    living: Vec<Living>,
    ended: u64,
    /// Ended waves of workgroups that have living ones, with how often they arrived.
    gone: Vec<(WaitGroup, u64)>,
}

/// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of these waves, but for
/// the scopes that are open at the end of the trace.
pub fn of_folder(
    trace: &Trace,
    filter: &Filter,
    names: NameStyle,
    threads: Threads,
) -> (Whereabouts, Ledger) {
    let scene = Scene::new(trace, filter, names);
    let (parts, mut ledger) = trace.decode_parallel(threads, filter, Seen::default, |seen, wave, stream| {
        scene.look(seen, wave, stream);
    });
    // They are the answer.
    ledger.forget(RemarkKind::ScopeOpenAtTraceEnd);
    let mut seen = Seen::default();
    for part in parts {
        seen.living.extend(part.living);
        seen.gone.extend(part.gone);
        seen.ended += part.ended;
    }
    let Seen { living, ended, gone } = seen;
    let barriers = barriers::gatherings(&living, &gone, scene.unit(), &scene.places);
    let folder = Printable(trace.path.display().to_string().as_bytes()).to_string();
    let notes = scene.notes(&living);
    let alive = living.len() as u64;
    (Whereabouts { folder, alive, ended, groups: groups(&living), barriers, notes }, ledger)
}

/// Facts of the whole folder, known before a wave is looked at.
struct Scene<'f> {
    trace: &'f Trace,
    names: NameStyle,
    /// The last time of every shader engine.
    last_times: HashMap<u32, i64>,
    places: WaitGroups,
    /// Shader engines of which files are cut off.
    cut_off: HashSet<u32>,
    /// Anything of the folder may be missing.
    is_lossy: bool,
}

impl<'f> Scene<'f> {
    fn new(trace: &'f Trace, filter: &Filter, names: NameStyle) -> Self {
        let cut_off = trace.files.iter().filter(|file| !file.complete).map(|file| file.se);
        let mut scene = Self {
            trace,
            names,
            last_times: HashMap::new(),
            places: WaitGroups::new(trace, filter),
            cut_off: cut_off.collect(),
            is_lossy: OF_ALL.iter().any(|&kind| trace.ledger.count(kind) > 0),
        };
        for (&se, engine) in &trace.engines {
            let samples = trace.real_time.as_ref().and_then(|real| real.samples.get(&se));
            let samples = samples.into_iter().flatten().map(|&(time, _)| time);
            let events = engine.events.iter().map(|event| event.time);
            let dispatches = engine.dispatches.iter().map(|dispatch| dispatch.time);
            scene.last_times.extend(samples.chain(events).chain(dispatches).max().map(|time| (se, time)));
        }
        for wave in trace.waves() {
            let lives = wave.launch.into_iter().flat_map(|launch| [Some(launch.time), launch.retired]);
            let times = wave.records().map(|record| record.time).chain(lives.flatten());
            if let Some(time) = times.max() {
                let last = scene.last_times.entry(wave.slot.se).or_insert(time);
                *last = time.max(*last);
            }
        }
        scene
    }

    fn unit(&self) -> &'static str {
        if self.trace.gfxip.is_some_and(|gfxip| gfxip >= 10) { "WGP" } else { "CU" }
    }

    fn look(&self, seen: &mut Seen, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        let place = WaitGroup::of(wave);
        if self.places.is_alive(wave) {
            seen.living.push(self.living(place, wave, stream));
            return;
        }
        seen.ended += 1;
        if self.places.has(&place, wave) {
            let mut arrivals = Arrivals::default();
            while let Some(event) = stream.next() {
                arrivals.take(&event);
            }
            seen.gone.push((place, arrivals.count));
        }
    }

    fn living(&self, place: WaitGroup, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) -> Living {
        let mut stack = Vec::new();
        let mut arrivals = Arrivals::default();
        // Kind, marker id and time.
        let mut last = None;
        while let Some(event) = stream.next() {
            if let Some(closed) = event.closed.filter(|closed| closed.reason == CloseReason::TraceEnd) {
                stack.push(self.names.marker(wave, closed.entry, closed.id));
            }
            if event.raw.is_none() || event.kind == EventKind::Reserved {
                continue;
            }
            arrivals.take(&event);
            let id = match event.kind {
                EventKind::Exit => event.closed.map(|closed| closed.id),
                EventKind::Undecoded => None,
                _ => Some(event.marker.id),
            };
            last = Some((event.kind, id, event.time));
        }
        stack.reverse();
        let now = self.last_times.get(&wave.slot.se).copied().unwrap_or_default();
        let begun = wave.launch.map_or(now, |launch| launch.time);
        let since = last.map_or(begun, |(_, _, time)| time);
        Living {
            place,
            kernel: self.names.kernel(wave.kernel),
            stack,
            last: last.map(|(kind, id, _)| self.marker(wave, kind, id)),
            ago: now.saturating_sub(since).max(0),
            arrivals,
            is_silent: wave.record_count() == 0,
            is_lossy: self.is_lossy(wave, stream),
            slot: format!("{}#{}", wave.slot, wave.generation),
        }
    }

    fn marker(&self, wave: &Wave<'_>, kind: EventKind, id: Option<u32>) -> LastMarker {
        let entry = wave.map().zip(id).and_then(|(map, id)| map.funcmap().find(id));
        LastMarker {
            event: if kind == EventKind::Reserved { EventKind::Undecoded } else { kind }.name(),
            name: id.map(|id| self.names.marker(wave, entry, id)).unwrap_or_default(),
            source_loc: entry
                .filter(|_| kind != EventKind::Exit)
                .and_then(|entry| entry.source_loc())
                .map(|location| Printable(location).to_string()),
        }
    }

    /// Says whether words of a wave may be missing.
    fn is_lossy(&self, wave: &Wave<'_>, stream: &MarkerStream<'_>) -> bool {
        let mut own = RemarkKind::ALL.into_iter().filter(|kind| kind.is_loss() && !HARMLESS.contains(kind));
        let engine = self.trace.engines.get(&wave.slot.se);
        let mut events = engine.into_iter().flat_map(|engine| &engine.events);
        let begun = wave.launch.map_or(i64::MIN, |launch| launch.time);
        self.is_lossy
            || self.cut_off.contains(&wave.slot.se)
            || wave.launch.is_none_or(|launch| launch.beginning != Beginning::Start)
            || events.any(|event| event.is_packet_loss() && event.time >= begun)
            || own.any(|kind| stream.losses().count(kind) > 0)
    }

    fn notes(&self, living: &[Living]) -> Vec<Note> {
        let any_workgroup = living.iter().any(|wave| wave.place.workgroup.is_some());
        let no_workgroup = living.iter().any(|wave| wave.place.workgroup.is_none());
        let losses = self.is_lossy || living.iter().any(|wave| wave.is_lossy);
        let has_barriers = living.iter().any(|wave| wave.arrivals.count > 0);
        let notes = [
            (self.trace.launch_count() == 0, Note::NoLives),
            (losses, Note::Losses),
            (!has_barriers, Note::NoBarriers),
            (has_barriers && no_workgroup, Note::NoWorkgroups),
            (has_barriers && any_workgroup && self.places.are_short(), Note::FiveBits),
        ];
        let any = !living.is_empty();
        notes.into_iter().filter(|(holds, _)| *holds && any).map(|(_, note)| note).collect()
    }
}

/// Sums over waves with the same last marker.
pub(super) fn last_of(waves: &[&Living]) -> Last {
    let times = || waves.iter().map(|wave| wave.ago);
    Last {
        marker: waves.first().and_then(|wave| wave.last.clone()),
        waves: waves.len() as u64,
        lossy: waves.iter().filter(|wave| wave.is_lossy).count() as u64,
        ago: Ago { least: times().min().unwrap_or_default(), most: times().max().unwrap_or_default() },
        slots: waves.iter().map(|wave| wave.slot.clone()).collect(),
    }
}

/// Waves by last marker.
type ByMarker<'l> = BTreeMap<Option<&'l LastMarker>, Vec<&'l Living>>;

fn groups(living: &[Living]) -> Vec<Group> {
    let mut by_stack: BTreeMap<(&str, &[String]), ByMarker<'_>> = BTreeMap::new();
    for wave in living {
        let group = by_stack.entry((&wave.kernel, &wave.stack)).or_default();
        group.entry(wave.last.as_ref()).or_default().push(wave);
    }
    let group = |((kernel, stack), by_marker): ((&str, &[String]), ByMarker<'_>)| {
        let mut last: Vec<Last> = by_marker.values().map(|waves| last_of(waves)).collect();
        last.sort_by_key(|last| std::cmp::Reverse(last.waves));
        let waves = last.iter().map(|last| last.waves).sum();
        Group { kernel: kernel.to_owned(), stack: stack.to_vec(), waves, last }
    };
    let mut groups: Vec<Group> = by_stack.into_iter().map(group).collect();
    groups.sort_by(|a, b| a.kernel.cmp(&b.kernel).then(b.waves.cmp(&a.waves)));
    groups
}
