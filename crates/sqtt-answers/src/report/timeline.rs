//! The timeline of one folder: a lane per wave slot, with its waves, scopes and points, in bounded memory.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::{Serialize, Serializer};
use sqtt_decoder::Filter;
use sqtt_decoder::stream::{CloseReason, EventKind, MarkerStream, Wave};
use sqtt_decoder::trace::{SlotId, Trace};
use sqtt_format::Entry;

use crate::names::NameStyle;
use crate::rate::ClockRate;

/// Spans and points that a timeline shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) spans: usize,
    pub(super) points: usize,
}

/// Slots that a timeline shows.
const LANES: usize = 4096;

/// A timeline. Times are cycles after `begin`.
#[derive(Debug, Serialize)]
pub(super) struct TraceJson {
    name: String,
    path: String,
    gfxip: Option<u32>,
    clock: &'static str,
    ghz: Option<f64>,
    begin: String,
    end: i64,
    records: u64,
    waves: u64,
    lanes: Vec<LaneJson>,
    /// Names of scopes, points and kernels, with their sources.
    names: Vec<(String, String)>,
    spans_left_out: u64,
    points_left_out: u64,
    lanes_left_out: u64,
}

#[derive(Debug, Serialize)]
struct LaneJson {
    name: String,
    /// Depth of scopes in each other.
    depth: u32,
    spans: Vec<Span>,
    points: Vec<Point>,
}

/// `[begin, duration, depth, name, how it ended]`; depth 0 is the wave.
#[derive(Clone, Copy, Debug)]
struct Span {
    begin: i64,
    duration: i64,
    depth: u32,
    name: u32,
    end: CloseReason,
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { begin, duration, depth, name, end } = *self;
        let end = match end {
            CloseReason::Marker => 0,
            CloseReason::WaveEnd => 1,
            CloseReason::TraceEnd => 2,
            CloseReason::PacketLoss => 3,
        };
        (begin, duration, depth, name, end).serialize(serializer)
    }
}

/// `[time, name, value]`, the value being that of a data marker.
#[derive(Clone, Copy, Debug)]
struct Point {
    time: i64,
    name: u32,
    value: Option<u32>,
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.time, self.name, self.value).serialize(serializer)
    }
}

pub(super) fn collect(
    trace: &Trace,
    filter: &Filter,
    rate: ClockRate,
    names: NameStyle,
    budget: Budget,
) -> TraceJson {
    let mut collector = TimelineCollector {
        budget,
        style: names,
        lanes: Vec::new(),
        lane_of: HashMap::new(),
        names: Vec::new(),
        name_of: HashMap::new(),
        spans: Vec::new(),
        points: Vec::new(),
        seen: 0,
        stride: 1,
        left_out: (0, 0, 0),
        waves: 0,
    };
    trace.decode(filter, |wave, stream| collector.wave(wave, stream));
    collector.finish(trace, rate)
}

struct TimelineCollector {
    budget: Budget,
    style: NameStyle,
    lanes: Vec<(SlotId, u32)>,
    lane_of: HashMap<SlotId, u32>,
    names: Vec<(String, String)>,
    name_of: HashMap<(String, String), u32>,
    /// With the lane and a number that tells which came first.
    spans: Vec<(u32, u64, Span)>,
    points: Vec<(u32, Point)>,
    /// Spans so far; and points so far.
    seen: u64,
    /// One point of so many is kept.
    stride: u64,
    /// Spans, points, slots.
    left_out: (u64, u64, u64),
    waves: u64,
}

impl TimelineCollector {
    fn name(&mut self, name: String, source: String) -> u32 {
        let key = (name, source);
        if let Some(&index) = self.name_of.get(&key) {
            return index;
        }
        let index = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(key.clone());
        self.name_of.insert(key, index);
        index
    }

    fn marker(&mut self, wave: &Wave<'_>, entry: Option<&Entry>, id: u32) -> u32 {
        let source = entry.and_then(Entry::source_loc).unwrap_or_default();
        self.name(self.style.marker(wave, entry, id), self.style.name(source, false))
    }

    /// The slot's lane; none where there are too many.
    fn lane(&mut self, slot: SlotId) -> Option<u32> {
        if let Some(&lane) = self.lane_of.get(&slot) {
            return Some(lane);
        }
        if self.lanes.len() >= LANES {
            return None;
        }
        let lane = u32::try_from(self.lanes.len()).ok()?;
        self.lanes.push((slot, 0));
        self.lane_of.insert(slot, lane);
        Some(lane)
    }

    fn wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        self.waves += 1;
        let Some(lane) = self.lane(wave.slot) else {
            self.left_out.2 += 1;
            return;
        };
        let mut ids: HashMap<u32, u32> = HashMap::new();
        let mut open: u32 = 0;
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        while let Some(event) = stream.next() {
            (first, last) = (first.min(event.time), last.max(event.time));
            if let Some(closed) = event.closed {
                let name =
                    *ids.entry(closed.id).or_insert_with(|| self.marker(wave, closed.entry, closed.id));
                let (begin, duration) = (closed.begin, closed.inclusive());
                self.span(lane, Span { begin, duration, depth: open, name, end: closed.reason });
                open = open.saturating_sub(1);
            }
            match event.kind {
                EventKind::Enter | EventKind::ExitEnter => open += 1,
                EventKind::Point => {
                    let id = event.marker.id;
                    let name = *ids.entry(id).or_insert_with(|| self.marker(wave, event.entry, id));
                    let is_block = event.entry.is_some_and(|entry| entry.address_block().is_some());
                    let value = event.payload.first().copied().filter(|_| !is_block);
                    self.point(lane, Point { time: event.time, name, value });
                }
                _ => {}
            }
        }
        let Some(launch) = wave.launch else { return };
        let begin = launch.time.min(first);
        let end = wave.retired().unwrap_or(last).max(begin);
        let reason = match wave.retired() {
            Some(_) if launch.end_is_lost => CloseReason::PacketLoss,
            Some(_) => CloseReason::Marker,
            None => CloseReason::TraceEnd,
        };
        let name = self.name(self.style.kernel(wave.kernel), String::new());
        self.span(lane, Span { begin, duration: end.saturating_sub(begin), depth: 0, name, end: reason });
    }

    /// Keeps the longest ones, and of equal ones those that came first.
    fn span(&mut self, lane: u32, span: Span) {
        self.spans.push((lane, self.seen, span));
        self.seen += 1;
        let depth = &mut self.lanes[lane as usize].1;
        *depth = (*depth).max(span.depth);
        if self.spans.len() >= (2 * self.budget.spans).max(2) {
            self.shrink_spans();
        }
    }

    fn shrink_spans(&mut self) {
        let keep = self.budget.spans.max(1);
        if self.spans.len() > keep {
            self.spans
                .select_nth_unstable_by_key(keep - 1, |(_, number, span)| (Reverse(span.duration), *number));
            self.left_out.0 += (self.spans.len() - keep) as u64;
            self.spans.truncate(keep);
        }
    }

    /// Keeps one of so many, evenly over the whole trace.
    fn point(&mut self, lane: u32, point: Point) {
        let number = self.left_out.1 + self.points.len() as u64;
        if number.is_multiple_of(self.stride) {
            self.points.push((lane, point));
        } else {
            self.left_out.1 += 1;
        }
        if self.points.len() >= (2 * self.budget.points).max(2) {
            self.stride *= 2;
            let before = self.points.len();
            let mut index = 0_u32;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.left_out.1 += (before - self.points.len()) as u64;
        }
    }

    fn finish(mut self, trace: &Trace, rate: ClockRate) -> TraceJson {
        self.shrink_spans();
        let times =
            self.spans.iter().flat_map(|(_, _, span)| [span.begin, span.begin.saturating_add(span.duration)]);
        let times = times.chain(self.points.iter().map(|(_, point)| point.time));
        let (begin, end) =
            times.fold((i64::MAX, i64::MIN), |(least, most), time| (least.min(time), most.max(time)));
        let (begin, end) = if begin > end { (0, 0) } else { (begin, end) };
        let lanes = self.lanes.iter().map(|(slot, depth)| LaneJson {
            name: slot.to_string(),
            depth: *depth,
            spans: Vec::new(),
            points: Vec::new(),
        });
        let mut lanes: Vec<LaneJson> = lanes.collect();
        // Outer ones first, so that inner ones are drawn over them.
        self.spans.sort_unstable_by_key(|(lane, number, span)| (*lane, span.begin, span.depth, *number));
        for (lane, _, mut span) in self.spans {
            span.begin = span.begin.saturating_sub(begin);
            lanes[lane as usize].spans.push(span);
        }
        self.points.sort_by_key(|(lane, point)| (*lane, point.time));
        for (lane, mut point) in self.points {
            point.time = point.time.saturating_sub(begin);
            lanes[lane as usize].points.push(point);
        }
        let name = trace.path.file_name().unwrap_or(trace.path.as_os_str());
        TraceJson {
            name: self.style.name(name.to_string_lossy().as_bytes(), false),
            path: self.style.name(trace.path.to_string_lossy().as_bytes(), false),
            gfxip: trace.gfxip,
            clock: rate.name(),
            ghz: rate.ghz(),
            begin: begin.to_string(),
            end: end.saturating_sub(begin),
            records: trace.record_count(),
            waves: self.waves,
            lanes,
            names: self.names,
            spans_left_out: self.left_out.0,
            points_left_out: self.left_out.1,
            lanes_left_out: self.left_out.2,
        }
    }
}
