//! Counts and durations of every scope of every kernel.
//!
//! Durations are in cycles of the shader clock and exact: none is binned. Inclusive ones are from open
//! to close, exclusive ones without inner scopes; the sum of the exclusive durations of a scope and all
//! inside of it is its inclusive one. Scopes that were open when their wave ended count up to there;
//! those whose end is not known are counted and have no duration.
//!
//! Folders are time domains of their own: their durations are put together, never their times.
//!
//! ```
//! use sqtt_decoder::names::Catalog;
//! use sqtt_decoder::stats::{RowKind, Stats};
//! use sqtt_decoder::trace::{LoadOptions, Trace, discover};
//! use sqtt_decoder::{Filter, Threads};
//!
//! # let root = tempfile::tempdir()?;
//! # let trace_output = root.path().to_owned();
//! # sqtt_decoder::generate::write(&trace_output, &sqtt_decoder::generate::Plan::default())?;
//! let found = discover(&[trace_output])?;
//! let catalog = Catalog::read(&found.code_objects);
//! let mut stats = Stats::new();
//! for path in &found.folders {
//!     let folder = Trace::load(path, &catalog, LoadOptions::default());
//!     let ledger = stats.add_folder(&folder, &Filter::default(), Threads::per_core());
//!     assert!(ledger.is_lossless());
//! }
//! for row in stats.into_rows().iter().filter(|row| row.key.kind == RowKind::User) {
//!     println!("{:?}: {:?}", row.key.display_name(), row.exclusive);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod summary;

use std::collections::{BTreeMap, HashMap};

use sqtt_format::{EntryKind, Name};

pub use summary::{Spread, Summary};

use crate::ledger::Ledger;
use crate::parallel::Threads;
use crate::stream::{EventKind, MarkerStream, Wave};
use crate::trace::{SlotId, Trace};
use crate::{Filter, names};

/// Subject of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ScopeKey {
    /// The kernel's name; empty where it is not known.
    pub kernel: Name,
    /// Kind of thing that the row counts.
    pub kind: RowKind,
    /// The name; empty for an unknown id, and for the kernel itself.
    pub name: Name,
    /// Place in the source; empty where nothing says so.
    pub source_loc: Name,
    /// True if it is a function of which no code of its own is left: it was inlined everywhere.
    pub inlined: bool,
    /// The marker id, where there is no name.
    pub unknown_id: Option<u32>,
}

/// Kinds of things that a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowKind {
    /// Waves of the kernel, from launch to end.
    Kernel,
    /// A function's scope.
    Function,
    /// A scope that a user named, or numbered.
    User,
    /// An event without a duration.
    Point,
}

impl RowKind {
    /// `kernel`, `function`, `user` or `point`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RowKind::Kernel => "kernel",
            RowKind::Function => "function",
            RowKind::User => "user",
            RowKind::Point => "point",
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ScopeRow {
    /// Its subject.
    pub key: ScopeKey,
    /// Times it ran, or waves of the kernel.
    pub count: u64,
    /// Number of these that were open when their wave ended.
    pub closed_by_wave_end: u64,
    /// Number of these that have no known end, and no part in what follows.
    pub cut: u64,
    /// From open to close. `None` for points.
    pub inclusive: Option<Summary>,
    /// Without inner scopes. `None` for points, and for kernels.
    pub exclusive: Option<Summary>,
    /// Sum of inclusive cycles by CU, counting all CUs where it ran.
    pub per_cu: Option<Spread>,
    /// Sum of inclusive cycles by SIMD.
    pub per_simd: Option<Spread>,
    /// Sum of inclusive cycles by wave.
    pub per_wave: Option<Spread>,
}

/// A SIMD among all folders: folder, shader engine, CU, SIMD.
type SimdKey = (u32, u32, u16, u8);

#[derive(Debug, Default)]
struct Samples {
    count: u64,
    closed_by_wave_end: u64,
    cut: u64,
    inclusive: Vec<u64>,
    exclusive: Vec<u64>,
    units: HashMap<SimdKey, u64>,
    waves: Vec<u64>,
}

/// Collects the durations of waves. See the [module](self).
#[derive(Debug, Default)]
pub struct Stats {
    scopes: HashMap<ScopeKey, Samples>,
    /// Folders so far: equal SIMDs of two folders are two.
    folders: u32,
}

impl Stats {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of
    /// these waves.
    pub fn add_folder(&mut self, folder: &Trace, filter: &Filter, threads: Threads) -> Ledger {
        let number = self.folders;
        self.folders += 1;
        let start = || Self { scopes: HashMap::new(), folders: number };
        let (parts, ledger) = folder.decode_parallel(threads, filter, start, Self::add_wave);
        parts.into_iter().for_each(|part| self.merge(part));
        ledger
    }

    fn merge(&mut self, other: Stats) {
        for (key, samples) in other.scopes {
            let own = self.scopes.entry(key).or_default();
            own.count += samples.count;
            own.closed_by_wave_end += samples.closed_by_wave_end;
            own.cut += samples.cut;
            append(&mut own.inclusive, samples.inclusive);
            append(&mut own.exclusive, samples.exclusive);
            append(&mut own.waves, samples.waves);
            for (unit, sum) in samples.units {
                add(own.units.entry(unit).or_default(), sum);
            }
        }
    }

    fn add_wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        let unit = unit(self.folders, wave.slot);
        let kernel = wave.kernel.map(|kernel| kernel.name.as_bytes()).unwrap_or_default();
        let mut local: BTreeMap<(u32, RowKind), Samples> = BTreeMap::new();
        while let Some(event) = stream.next() {
            if event.kind == EventKind::Point {
                local.entry((event.marker.id, RowKind::Point)).or_default().count += 1;
            }
            let Some(closed) = event.closed else { continue };
            let kind = match closed.entry.map(sqtt_format::Entry::kind) {
                Some(EntryKind::Function) => RowKind::Function,
                _ => RowKind::User,
            };
            let samples = local.entry((closed.id, kind)).or_default();
            samples.count += 1;
            if !closed.reason.is_whole() {
                samples.cut += 1;
                continue;
            }
            samples.closed_by_wave_end += u64::from(closed.reason == crate::stream::CloseReason::WaveEnd);
            samples.inclusive.push(cycles(closed.inclusive()));
            samples.exclusive.push(cycles(closed.exclusive()));
        }
        for ((id, kind), samples) in local {
            let entry = wave.map().and_then(|map| map.funcmap().find(id));
            let key = ScopeKey {
                kernel: kernel.into(),
                kind,
                name: entry.map(|entry| entry.name().into()).unwrap_or_default(),
                source_loc: entry.and_then(|entry| entry.source_loc()).unwrap_or_default().into(),
                inlined: wave.map().is_some_and(|map| map.is_inlined(id)),
                unknown_id: entry.is_none_or(|entry| entry.name().is_empty()).then_some(id),
            };
            self.scopes.entry(key).or_default().take_wave(samples, unit);
        }
        self.add_kernel(wave, kernel, unit);
    }

    /// The wave itself, as a call of its kernel.
    fn add_kernel(&mut self, wave: &Wave<'_>, kernel: &[u8], unit: SimdKey) {
        let Some(launch) = wave.launch else { return };
        let key = ScopeKey {
            kernel: kernel.into(),
            kind: RowKind::Kernel,
            name: Name::default(),
            source_loc: Name::default(),
            inlined: false,
            unknown_id: None,
        };
        let mut samples = Samples { count: 1, ..Samples::default() };
        match wave.retired().filter(|_| !wave.is_older_than_trace() && !launch.end_is_lost) {
            Some(retired) => samples.inclusive.push(cycles(retired.saturating_sub(launch.time))),
            None => samples.cut = 1,
        }
        self.scopes.entry(key).or_default().take_wave(samples, unit);
    }

    /// The rows, by kernel; in each the kernel, then scopes by exclusive time, then points by count.
    #[must_use]
    pub fn into_rows(self) -> Vec<ScopeRow> {
        let mut rows: Vec<ScopeRow> =
            self.scopes.into_iter().map(|(key, samples)| samples.row(key)).collect();
        rows.sort_by(|a, b| {
            let rank = |row: &ScopeRow| match row.key.kind {
                RowKind::Kernel => 0,
                RowKind::Function | RowKind::User => 1,
                RowKind::Point => 2,
            };
            let weight = |row: &ScopeRow| row.exclusive.as_ref().map_or(row.count, |times| times.sum);
            let by_kernel = a.key.kernel.cmp(&b.key.kernel).then(rank(a).cmp(&rank(b)));
            by_kernel.then(weight(b).cmp(&weight(a))).then_with(|| a.key.cmp(&b.key))
        });
        rows
    }
}

fn unit(folder: u32, SlotId { se, cu, simd, .. }: SlotId) -> SimdKey {
    (folder, se, cu, simd)
}

/// Times are what a file says: three waves may last longer than 64 bits count.
fn add(sum: &mut u64, cycles: u64) {
    *sum = sum.saturating_add(cycles);
}

fn cycles(duration: i64) -> u64 {
    u64::try_from(duration).unwrap_or_default()
}

fn append(to: &mut Vec<u64>, mut from: Vec<u64>) {
    if to.is_empty() {
        *to = from;
    } else {
        to.append(&mut from);
    }
}

impl Samples {
    fn take_wave(&mut self, mut wave: Samples, unit: SimdKey) {
        self.count += wave.count;
        self.closed_by_wave_end += wave.closed_by_wave_end;
        self.cut += wave.cut;
        if !wave.inclusive.is_empty() {
            let sum = wave.inclusive.iter().fold(0_u64, |sum, &value| sum.saturating_add(value));
            add(self.units.entry(unit).or_default(), sum);
            self.waves.push(sum);
        }
        self.inclusive.append(&mut wave.inclusive);
        self.exclusive.append(&mut wave.exclusive);
    }

    fn row(self, key: ScopeKey) -> ScopeRow {
        let mut cus: HashMap<(u32, u32, u16), u64> = HashMap::new();
        for (&(folder, se, cu, _), &sum) in &self.units {
            add(cus.entry((folder, se, cu)).or_default(), sum);
        }
        ScopeRow {
            key,
            count: self.count,
            closed_by_wave_end: self.closed_by_wave_end,
            cut: self.cut,
            inclusive: Summary::of(self.inclusive),
            exclusive: Summary::of(self.exclusive),
            per_cu: Spread::of(cus.values().copied()),
            per_simd: Spread::of(self.units.values().copied()),
            per_wave: Spread::of(self.waves.iter().copied()),
        }
    }
}

impl ScopeKey {
    /// The name as it is shown, mangled: `event#9` for an unknown id, `(wave)` for the kernel itself.
    #[must_use]
    pub fn display_name(&self) -> Name {
        match (self.kind, self.unknown_id) {
            (RowKind::Kernel, _) => Name::from(b"(wave)"),
            (_, Some(id)) => Name::from(names::unknown_name(id)),
            _ => self.name.clone(),
        }
    }
}
