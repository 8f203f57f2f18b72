//! All answers in one HTML file that needs neither network nor server: timeline, flame graph, statistics,
//! memory findings, losses.
//!
//! The file stays of a size that browsers open: of a large trace the timeline has the longest scopes, and
//! evenly thinned out points; tables have the largest rows. Whatever is left out is counted, and the report
//! says so where it is missing.
//!
//! Everything that the trace says, names above all, is in the file as JSON without a character that HTML
//! could take for markup, and reaches the page as text.

mod html;
mod memory;
mod timeline;

use std::io::Write;

use serde::Serialize;
use sqtt_decoder::memory::{Collector, MemoryOptions};
use sqtt_decoder::stats::{RowKind, Stats};
use sqtt_decoder::trace::Trace;
use sqtt_decoder::{Filter, Ledger, Threads};

use crate::flame::{FlameError, FlameOptions, Flames, SvgOptions, write_svg};
use crate::names::{NameStyle, marked};
use crate::rate::ClockRate;
use memory::MemoryJson;
use timeline::{Budget, TraceJson};

/// Choices for making a report.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// Title of the page.
    pub title: String,
    /// The rate of the shader clock in GHz; where none is given that of `realtime.json` counts.
    pub clock_ghz: Option<f64>,
    /// Style of names.
    pub names: NameStyle,
    /// Threads for what can be done on several.
    pub threads: Threads,
    /// The most scopes and waves that the timeline shows.
    pub spans: usize,
    /// The most points that the timeline shows.
    pub points: usize,
    /// The most rows of a table.
    pub rows: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            title: "SQTT report".to_owned(),
            clock_ghz: None,
            names: NameStyle::default(),
            threads: Threads::ONE,
            spans: 120_000,
            points: 40_000,
            rows: 2_000,
        }
    }
}

/// Collects what a report says. Folders are taken one after the other; each stays a timeline of its own.
#[derive(Debug)]
pub struct Report {
    options: ReportOptions,
    flames: Flames,
    stats: Stats,
    memory: Collector,
    traces: Vec<TraceJson>,
}

impl Report {
    /// Nothing yet.
    #[must_use]
    pub fn new(options: ReportOptions) -> Self {
        let flames = Flames::new(FlameOptions { names: options.names, ..FlameOptions::default() });
        let memory = Collector::new(MemoryOptions::default());
        Self { options, flames, stats: Stats::new(), memory, traces: Vec::new() }
    }

    /// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of these
    /// waves.
    ///
    /// # Errors
    ///
    /// Errors of [`Flames::add_folder`].
    pub fn add_folder(&mut self, trace: &Trace, filter: &Filter) -> Result<Ledger, FlameError> {
        let ledger = self.flames.add_folder(trace, filter)?;
        // What they lose is what the flame graph lost: all look at the same waves.
        self.stats.add_folder(trace, filter, self.options.threads);
        self.memory.add_folder(trace, filter, self.options.threads);
        let rate = ClockRate::of(trace, self.options.clock_ghz);
        let names = self.options.names;
        // All timelines share the room: later ones get what is left, and never less than a share.
        let share = 1 + self.traces.len();
        let budget = Budget { spans: self.options.spans / share, points: self.options.points / share };
        self.traces.push(timeline::collect(trace, filter, rate, names, budget));
        Ok(ledger)
    }

    /// Writes the file. `losses` are those of the trace as a whole.
    ///
    /// # Errors
    ///
    /// Errors of the writer; [`FlameError::TooLarge`].
    pub fn write(self, out: &mut dyn Write, losses: &Ledger) -> Result<(), FlameError> {
        let Self { options, flames, stats, memory, traces } = self;
        let mut picture = Vec::new();
        write_svg(
            &mut picture,
            &flames,
            &SvgOptions { title: String::new(), width: Some(1200), icicle: true },
        )?;
        let rows = stats.into_rows();
        let counted = rows.len();
        let mut rows: Vec<StatsJson> = rows.iter().map(|row| StatsJson::of(row, options.names)).collect();
        // The largest first, so that what is left out is the least.
        rows.sort_by_key(|row| {
            std::cmp::Reverse(row.exclusive.or(row.inclusive).map_or(0, |times| times.sum))
        });
        rows.truncate(options.rows);
        let data = DataJson {
            title: &options.title,
            version: env!("CARGO_PKG_VERSION"),
            flame: &String::from_utf8_lossy(&picture),
            flame_lumped: flames.lumped(),
            stats_left_out: counted - rows.len(),
            stats: rows,
            memory: MemoryJson::of(&memory.into_summary(), options.names, options.rows),
            losses: losses_json(losses),
            summary: losses.to_string(),
            lossless: losses.is_lossless(),
            traces,
        };
        html::write(out, &options.title, &data)?;
        Ok(())
    }
}

/// Data of the page.
#[derive(Serialize)]
struct DataJson<'a> {
    title: &'a str,
    version: &'static str,
    traces: Vec<TraceJson>,
    flame: &'a str,
    flame_lumped: u64,
    stats: Vec<StatsJson>,
    stats_left_out: usize,
    memory: MemoryJson,
    losses: Vec<LossJson<'a>>,
    summary: String,
    lossless: bool,
}

#[derive(Serialize)]
struct StatsJson {
    kernel: String,
    kind: &'static str,
    name: String,
    source: String,
    count: u64,
    cut: u64,
    inclusive: Option<sqtt_decoder::stats::Summary>,
    exclusive: Option<sqtt_decoder::stats::Summary>,
    /// The most of a CU against the mean.
    imbalance: Option<f64>,
}

impl StatsJson {
    fn of(row: &sqtt_decoder::stats::ScopeRow, names: NameStyle) -> Self {
        let shown = |name: &[u8], is_compilers| names.name(name, is_compilers);
        let name = match row.key.kind {
            RowKind::Kernel => "(whole waves)".to_owned(),
            _ if row.key.unknown_id.is_some() => shown(&row.key.display_name(), false),
            kind => marked(shown(&row.key.name, kind == RowKind::Function), row.key.inlined),
        };
        Self {
            kernel: if row.key.kernel.is_empty() { names.kernel(None) } else { shown(&row.key.kernel, true) },
            kind: row.key.kind.name(),
            name,
            source: names.name(&row.key.source_loc, false),
            count: row.count,
            cut: row.cut,
            inclusive: row.inclusive,
            exclusive: row.exclusive,
            imbalance: row.per_cu.map(|spread| spread.imbalance()),
        }
    }
}

#[derive(Serialize)]
struct LossJson<'a> {
    kind: &'static str,
    text: String,
    count: u64,
    loss: bool,
    places: Vec<(&'a str, u64)>,
    advice: Option<&'static str>,
}

/// Places of a kind that the report shows.
const PLACES: usize = 20;

fn losses_json(ledger: &Ledger) -> Vec<LossJson<'_>> {
    ledger
        .tallies()
        .map(|(kind, tally)| LossJson {
            kind: kind.name(),
            text: kind.to_string(),
            count: tally.count,
            loss: kind.is_loss(),
            places: tally.places.iter().take(PLACES).map(|(place, &count)| (place.as_str(), count)).collect(),
            advice: sqtt_decoder::check::advice(kind),
        })
        .collect()
}
