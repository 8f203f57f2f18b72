//! The events of all waves.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use sqtt_decoder::stream::{CloseReason, Event, EventKind, MarkerStream, Wave};
use sqtt_decoder::trace::Trace;
use sqtt_decoder::{Filter, Ledger};
use sqtt_format::{Entry, EntryKind};

use super::PerfettoOptions;
use super::args::{
    DispatchArgs, EndArgs, EngineArgs, LossArgs, MarkerArgs, NameArgs, SortArgs, TraceArgs, WaveArgs,
};
use super::dispatches::{Groups, TRACE_PID, TrackGroup};
use super::stream::{ChromeEvent, Stream, Track};
use crate::names::NameStyle;
use crate::rate::ClockRate;

pub(super) fn write(
    out: &mut dyn Write,
    folder: &Trace,
    filter: &Filter,
    options: &PerfettoOptions<'_>,
    rate: ClockRate,
) -> io::Result<Ledger> {
    let groups = Groups::of(folder, filter);
    let spans = spans(folder, filter);
    let first = spans.values().map(|(first, _)| *first).min().unwrap_or_default();
    let last = spans.values().map(|(_, last)| *last).max().unwrap_or_default();
    // Viewers drop what is before 0.
    let origin = if options.from_zero || first < 0 { first } else { 0 };
    let mut writer = TrackWriter {
        stream: Stream::start(out, rate, origin),
        folder,
        names: options.names,
        groups,
        tid: 0,
    };
    writer.tid = TRACE_PID + u32::try_from(writer.groups.pids().count()).unwrap_or(u32::MAX / 2);
    let trace = Track { pid: TRACE_PID, tid: writer.next_tid() };
    writer.trace(trace, rate, origin, &spans);
    let pids: Vec<(TrackGroup, u32)> = writer.groups.pids().collect();
    for (group, pid) in pids {
        writer.process(group, pid);
    }
    let ledger = folder.decode(filter, |wave, stream| {
        if !writer.stream.failed() {
            writer.wave(wave, stream);
        }
    });
    let mut all = ledger.clone();
    options.outside.into_iter().for_each(|outside| all.merge(outside));
    let args = LossArgs { summary: all.to_string(), ledger: &all };
    writer.instant(trace, last, "what was lost", "sqtt.losses", "p", args);
    writer.stream.finish()?;
    Ok(ledger)
}

/// The first and last cycle at which anything happened on each shader engine.
fn spans(folder: &Trace, filter: &Filter) -> BTreeMap<u32, (i64, i64)> {
    let mut spans: BTreeMap<u32, (i64, i64)> = BTreeMap::new();
    for wave in folder.waves().filter(|wave| filter.takes_wave(wave)) {
        let mut add = |time: i64| {
            let (first, last) = spans.entry(wave.slot.se).or_insert((time, time));
            (*first, *last) = ((*first).min(time), (*last).max(time));
        };
        if let Some(launch) = wave.launch {
            add(launch.time);
            wave.retired().into_iter().for_each(&mut add);
        }
        let mut stream = wave.markers();
        while let Some(event) = stream.next() {
            add(event.time);
        }
    }
    spans
}

struct TrackWriter<'a> {
    stream: Stream<'a>,
    folder: &'a Trace,
    names: NameStyle,
    groups: Groups,
    tid: u32,
}

impl TrackWriter<'_> {
    fn next_tid(&mut self) -> u32 {
        self.tid += 1;
        self.tid
    }

    /// Names a process or a thread.
    fn meta<Args: Serialize>(&mut self, track: Track, name: &'static str, args: Args) {
        let Track { pid, tid } = track;
        let event = ChromeEvent {
            ph: "M",
            pid,
            tid,
            ts: None,
            name: Some(name),
            cat: None,
            s: None,
            args: Some(args),
        };
        self.stream.event(&event);
    }

    fn instant<Args: Serialize>(
        &mut self,
        track: Track,
        cycle: i64,
        name: &str,
        cat: &'static str,
        scope: &'static str,
        args: Args,
    ) {
        let Track { pid, tid } = track;
        let ts = Some(self.stream.time(cycle));
        let event = ChromeEvent {
            ph: "i",
            pid,
            tid,
            ts,
            name: Some(name),
            cat: Some(cat),
            s: Some(scope),
            args: Some(args),
        };
        self.stream.event(&event);
    }

    fn begin<Args: Serialize>(
        &mut self,
        track: Track,
        cycle: i64,
        name: &str,
        cat: &'static str,
        args: Args,
    ) {
        let Track { pid, tid } = track;
        let ts = Some(self.stream.time(cycle));
        let event = ChromeEvent {
            ph: "B",
            pid,
            tid,
            ts,
            name: Some(name),
            cat: Some(cat),
            s: None,
            args: Some(args),
        };
        self.stream.event(&event);
    }

    /// Ends a slice, by its name: speedscope wants it.
    fn end(&mut self, track: Track, cycle: i64, name: &str, args: EndArgs) {
        let Track { pid, tid } = track;
        let ts = Some(self.stream.time(cycle));
        let (name, args) = (Some(name), Some(args));
        self.stream.event(&ChromeEvent { ph: "E", pid, tid, ts, name, cat: None, s: None, args });
    }

    /// The process of the trace itself.
    fn trace(&mut self, track: Track, rate: ClockRate, origin: i64, spans: &BTreeMap<u32, (i64, i64)>) {
        let first = spans.values().map(|(first, _)| *first).min().unwrap_or_default();
        let folder = self.folder.path.to_string_lossy();
        self.meta(track, "process_name", NameArgs { name: &format!("SQTT trace {folder}") });
        self.meta(track, "process_sort_index", SortArgs { sort_index: 0 });
        self.meta(track, "thread_name", NameArgs { name: "trace" });
        let args = TraceArgs {
            folder,
            gfxip: self.folder.gfxip,
            clock_rate: rate.name(),
            clock_ghz: rate.ghz(),
            time: match rate {
                ClockRate::Unknown => "nominal: a cycle is shown as a nanosecond",
                ClockRate::Given(_) | ClockRate::Measured(_) => "time by the clock rate",
            },
            cycle_of_time_0: origin,
            engines: spans
                .iter()
                .map(|(&se, &(first_cycle, last_cycle))| EngineArgs { se, first_cycle, last_cycle })
                .collect(),
        };
        let name = if rate == ClockRate::Unknown { "trace (nominal time)" } else { "trace" };
        self.instant(track, first, name, "sqtt.trace", "p", args);
    }

    fn process(&mut self, group: TrackGroup, pid: u32) {
        let dispatch = Groups::dispatch(self.folder, group);
        let kernel = |number| self.names.kernel(self.folder.kernels.get(&number));
        let name = match (group, dispatch) {
            (TrackGroup::Dispatch(se, number), Some(dispatch)) => {
                let seen = se.map(|se| format!(" of SE{se}")).unwrap_or_default();
                format!("dispatch {number}{seen}: {}", kernel(dispatch.kernel))
            }
            (TrackGroup::Kernel(number), _) => format!("kernel {number}: {}", kernel(number)),
            _ => "waves of no known kernel".to_owned(),
        };
        let kernel = dispatch.map(|dispatch| kernel(dispatch.kernel));
        let track = Track { pid, tid: self.next_tid() };
        self.meta(track, "process_name", NameArgs { name: &name });
        self.meta(track, "process_sort_index", SortArgs { sort_index: pid });
        if let (Some(dispatch), Some(kernel)) = (dispatch, kernel) {
            self.meta(track, "thread_name", NameArgs { name: "dispatch" });
            let args = DispatchArgs {
                kernel: &kernel,
                kernel_id: dispatch.kernel,
                me: dispatch.me,
                pipe: dispatch.pipe,
                workgroup_size: dispatch.workgroup_size,
                vgprs: dispatch.vgprs,
                sgprs: dispatch.sgprs,
                lds_size: dispatch.lds_size,
                cycle: dispatch.time,
            };
            self.instant(track, dispatch.time, "dispatch", "sqtt.dispatch", "p", args);
        }
    }

    fn wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        let first = stream.next();
        if first.is_none() && wave.launch.is_none() {
            return;
        }
        let track =
            Track { pid: self.groups.pid(self.groups.group(self.folder, wave)), tid: self.next_tid() };
        let name = match wave.launch {
            Some(_) => format!("{}#{}", wave.slot, wave.generation),
            None => format!("{} before its first wave", wave.slot),
        };
        self.meta(track, "thread_name", NameArgs { name: &name });
        self.meta(track, "thread_sort_index", SortArgs { sort_index: track.tid });
        // The wave's own slice holds all others: records may come before its launch, and after its end.
        let begin =
            wave.launch.map(|launch| first.as_ref().map_or(launch.time, |event| event.time.min(launch.time)));
        if let (Some(launch), Some(begin)) = (wave.launch, begin) {
            let kernel = self.names.kernel(wave.kernel);
            let args = WaveArgs {
                kernel: &kernel,
                code_object: wave.map().and_then(|map| map.object_id()),
                workgroup: launch.origin.and_then(|origin| origin.workgroup),
                cluster: launch.origin.and_then(|origin| origin.cluster),
            };
            self.begin(track, begin, "wave", "sqtt.wave", args);
        }
        let mut last = begin.unwrap_or(i64::MIN);
        let mut event = first;
        while let Some(marked) = &event {
            last = marked.time;
            self.marker(track, wave, marked);
            event = stream.next();
        }
        if let (Some(launch), Some(begin)) = (wave.launch, begin) {
            let end = wave.retired().unwrap_or(last);
            let closed_by = match wave.retired() {
                Some(_) if launch.end_is_lost => Some(CloseReason::PacketLoss.name()),
                Some(_) => None,
                None => Some(CloseReason::TraceEnd.name()),
            };
            let args = EndArgs { cycle: launch.time, cycles: end.saturating_sub(begin), closed_by };
            self.end(track, end, "wave", args);
        }
    }

    fn marker(&mut self, track: Track, wave: &Wave<'_>, event: &Event<'_>) {
        if let Some(closed) = &event.closed {
            let closed_by = (closed.reason != CloseReason::Marker).then_some(closed.reason.name());
            let name = self.names.marker(wave, closed.entry, closed.id);
            let args = EndArgs { cycle: closed.begin, cycles: closed.inclusive(), closed_by };
            self.end(track, event.time, &name, args);
        }
        let args = MarkerArgs {
            id: event.marker.id,
            source: event.entry.and_then(Entry::source_loc).map(String::from_utf8_lossy),
            payload: event.payload,
            payload_lost: event.truncated,
            cycle: Some(event.time),
        };
        match event.kind {
            EventKind::Enter | EventKind::ExitEnter => {
                let name = self.names.marker(wave, event.entry, event.marker.id);
                let is_function = event.entry.is_some_and(|entry| entry.kind() == EntryKind::Function);
                let cat = if is_function { "sqtt.function" } else { "sqtt.user" };
                self.begin(track, event.time, &name, cat, MarkerArgs { cycle: None, ..args });
            }
            EventKind::Point => {
                let name = self.names.marker(wave, event.entry, event.marker.id);
                self.instant(track, event.time, &name, "sqtt.point", "t", args);
                if event.entry.is_none_or(|entry| entry.address_block().is_none()) {
                    self.counter(track, wave, event, &name);
                }
            }
            EventKind::Exit if event.closed.is_none() => {
                self.instant(track, event.time, "exit of nothing", "sqtt.loss", "t", args);
            }
            EventKind::Undecoded => {
                let word = event.raw.as_slice();
                let args = MarkerArgs { payload: word, source: None::<Cow<'_, str>>, ..args };
                self.instant(track, event.time, "undecoded word", "sqtt.loss", "t", args);
            }
            EventKind::Exit | EventKind::Reserved => {}
        }
    }

    /// The value of a data marker; of several words each is a line of the counter.
    fn counter(&mut self, track: Track, wave: &Wave<'_>, event: &Event<'_>, name: &str) {
        let values: serde_json::Map<String, serde_json::Value> = match event.payload {
            [] => return,
            [value] => [("value".to_owned(), (*value).into())].into_iter().collect(),
            words => words
                .iter()
                .enumerate()
                .map(|(index, &word)| (format!("word {index}"), word.into()))
                .collect(),
        };
        let name = format!("{name} {}", wave.slot);
        let ts = Some(self.stream.time(event.time));
        let Track { pid, tid } = track;
        let event = ChromeEvent {
            ph: "C",
            pid,
            tid,
            ts,
            name: Some(name.as_str()),
            cat: Some("sqtt.data"),
            s: None,
            args: Some(values),
        };
        self.stream.event(&event);
    }
}
