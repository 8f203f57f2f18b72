//! Everything lost, or not what it looks like, on the way from files to answers.
//!
//! A loss is counted where it is seen, by its kind and its place, and the ledger travels with every
//! result. The number of kinds is fixed and the number of places that are kept of each is bounded, so a
//! ledger stays small whatever the trace holds.

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The table of kinds: each with its name in JSON and in words.
macro_rules! kinds {
    (@is_loss loss) => { true };
    (@is_loss remark) => { false };
    ($($(#[$doc:meta])* $kind:ident $class:ident $name:literal $words:literal;)*) => {
        /// Kinds of remarks; most are losses.
        ///
        /// The order is that of the data flow. [`RemarkKind::is_loss`] tells which.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum RemarkKind {
            $($(#[$doc])* $kind,)*
        }

        impl RemarkKind {
            /// All of them.
            pub const ALL: [RemarkKind; [$($name),*].len()] = [$(RemarkKind::$kind),*];

            const fn row(self) -> (&'static str, &'static str, bool) {
                match self {
                    $(RemarkKind::$kind => ($name, $words, kinds!(@is_loss $class)),)*
                }
            }
        }
    };
}

kinds! {
    /// A file that is listed or needed and could not be read, or is not there.
    SkippedFile loss "skipped_file" "files skipped";
    /// A file that ends inside of a value: everything before it was read.
    TruncatedFile loss "truncated_file" "files cut off";
    /// A row, table or value of another shape than the format has.
    MalformedRow loss "malformed_row" "malformed rows";
    /// A record file in the folder that `filenames.json` does not list; it was not read.
    UnlistedFile remark "unlisted_file" "files that filenames.json does not list";
    /// A raw file whose name does not say its shader engine; it was given the next free number.
    AssumedEngine remark "assumed_engine" "raw files given the next shader engine";
    /// A raw trace whose last token is cut off where the GPU's buffer ends: buffers are written 32 bytes at a
    /// time, and the bytes after the last token are arbitrary. Or the buffer was full.
    CutAtBufferEnd remark "cut_at_buffer_end" "tokens cut off at the end of a trace buffer";
    /// Bits of a raw trace that are no token of its GPU; reading goes on behind them.
    UnknownToken loss "unknown_token" "places where no token is";
    /// A raw trace of a GPU whose tokens are not all known: what may be wrong because of it.
    PartlyKnownGpu loss "partly_known_gpu" "traces of a GPU that is known in part";
    /// A folder without a single record or wave.
    NoWaveData loss "no_wave_data" "folders without wave data";
    /// A code object that could not be read.
    SkippedCodeObject loss "skipped_code_object" "code objects skipped";
    /// One of several funcmaps of a code object that could not be read.
    SkippedFuncmap loss "skipped_funcmap" "funcmaps skipped";
    /// A funcmap row that is wrong or looks so.
    FuncmapRow remark "funcmap_row" "odd funcmap rows";
    /// Different code objects with one id: names of that id are not used.
    AmbiguousCodeObject loss "ambiguous_code_object" "ambiguous code object ids";
    /// A kernel that several different code objects have by that name.
    AmbiguousKernel loss "ambiguous_kernel" "ambiguous kernel names";
    /// A kernel of which no code object is at hand.
    UnresolvedKernel loss "unresolved_kernel" "kernels without a code object";
    /// Waves whose code object was taken because the trace has only that one, and nothing says which.
    AssumedCodeObject remark "assumed_code_object" "waves given the only code object";
    /// The end of a wave in a slot where no wave was known.
    EndWithoutStart remark "end_without_start" "ends of waves without a start";
    /// The start of a wave in a slot where a wave ran; it is taken to have ended.
    StartInBusySlot loss "start_in_busy_slot" "starts of waves where one ran, whose end is lost";
    /// A hardware packet loss: records are missing from there on.
    PacketLoss loss "packet_loss" "packet losses";
    /// A record before its slot's first wave.
    BeforeFirstWave loss "before_first_wave" "records before their slot's first wave";
    /// A record that could not be told from payload, because its wave's code object is not known.
    UndecodedRecord loss "undecoded_record" "records without a known code object";
    /// A marker id that its funcmap does not know, and that is not known to be a numeric marker's.
    UnknownId loss "unknown_id" "markers with an unknown id";
    /// A marker id that means different things in different units of its code object: the name, where there is one, is
    /// that of the kernel's own.
    SharedId loss "shared_id" "markers whose id has several meanings";
    /// A marker with a number of the program's own in place of a name.
    NumericMarker remark "numeric_marker" "numeric markers";
    /// A marker block with fewer payload words than its funcmap says.
    TruncatedBlock loss "truncated_block" "truncated blocks";
    /// A record behind a loss that cannot be told from payload.
    LostWord loss "lost_word" "words behind a loss that may be payload";
    /// A wave with records behind a reported loss: it may have ended in it, and what follows be another's.
    WaveAcrossLoss loss "wave_across_loss" "waves that run across a loss, and may end in it";
    /// An exit with no scope open.
    UnmatchedExit loss "unmatched_exit" "unmatched exits";
    /// An exit of a scope that was entered before the trace began, or before a packet loss.
    ExitWithoutEnter loss "exit_without_enter" "exits whose enter was not traced";
    /// A scope that was open when packets were lost; it is closed there.
    ScopeCutByPacketLoss loss "scope_cut_by_packet_loss" "scopes cut by packet loss";
    /// A scope that was open when its wave ended; it is closed there.
    ScopeOpenAtWaveEnd loss "scope_open_at_wave_end" "scopes open at their wave's end";
    /// A scope that was open at the last record of a wave whose end is not in the trace.
    ScopeOpenAtTraceEnd loss "scope_open_at_trace_end" "scopes open at the trace's end";
    /// A point whose word has the bits of an enter or exit; they are not followed.
    PointWithFlags remark "point_with_flags" "points with enter or exit bits";
    /// A word with id 0 that is no exit: reserved, does nothing.
    ReservedWord remark "reserved_word" "reserved words";
    /// A record of the trap handler's, which is none of the program's.
    TrapHandlerRecord remark "trap_handler_record" "records of the trap handler";
    /// A record with an earlier time than the one before it in its wave.
    TimeWentBack remark "time_went_back" "records earlier than the one before";
    /// The delays of one SIMD's records spread over three quarters of half the clock window or more:
    /// the clock correction may be wrong by a window.
    ClockSpread loss "clock_spread" "SIMDs whose delays nearly fill the clock window";
}

impl RemarkKind {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// True if something is missing or unsure because of it. The others are worth a remark only.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.row().2
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.row().1)
    }
}

/// Count and places of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Number of times.
    pub count: u64,
    /// Places, with their counts; [`Ledger::PLACE_LIMIT`] places at most.
    pub places: BTreeMap<String, u64>,
    /// Number of times elsewhere.
    pub elsewhere: u64,
}

/// All that was lost, by kind and place. It travels with every result, and stays small.
///
/// JSON form: an object, by [`RemarkKind::name`], of objects with `count`, `loss` (whether data is missing or
/// unsure), `places` (a list of `where` and `count`) and `elsewhere`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    tallies: BTreeMap<RemarkKind, Tally>,
}

impl Ledger {
    /// Places kept of each kind at most.
    pub const PLACE_LIMIT: usize = 100;

    /// An empty ledger.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts something at a place: a file with the byte and reason, or a slot of a folder.
    pub fn add(&mut self, kind: RemarkKind, count: u64, place: impl Into<String>) {
        if count == 0 {
            return;
        }
        let tally = self.tallies.entry(kind).or_default();
        tally.count += count;
        let place = place.into();
        if tally.places.len() < Self::PLACE_LIMIT || tally.places.contains_key(&place) {
            *tally.places.entry(place).or_default() += count;
        } else {
            tally.elsewhere += count;
        }
    }

    /// Adds all of another ledger.
    pub fn merge(&mut self, other: &Ledger) {
        for (&kind, tally) in &other.tallies {
            for (place, &count) in &tally.places {
                self.add(kind, count, place.as_str());
            }
            if tally.elsewhere > 0 {
                let own = self.tallies.entry(kind).or_default();
                own.count += tally.elsewhere;
                own.elsewhere += tally.elsewhere;
            }
        }
    }

    /// Leaves out what is no loss to whoever asked.
    pub fn forget(&mut self, kind: RemarkKind) {
        self.tallies.remove(&kind);
    }

    /// Number of times that something happened.
    #[must_use]
    pub fn count(&self, kind: RemarkKind) -> u64 {
        self.tallies.get(&kind).map_or(0, |tally| tally.count)
    }

    /// Everything that happened, in the order of [`RemarkKind`].
    pub fn tallies(&self) -> impl Iterator<Item = (RemarkKind, &Tally)> {
        self.tallies.iter().map(|(&kind, tally)| (kind, tally))
    }

    /// True if nothing was lost. There may be remarks.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        !self.tallies.keys().any(|kind| kind.is_loss())
    }

    /// Losses, in a line for a file that is made of the rest: `lost: 3 unmatched exits, 1 truncated blocks`.
    /// `None` where nothing was.
    #[must_use]
    pub fn lost(&self) -> Option<String> {
        self.part("lost: ", true)
    }

    fn part(&self, lead: &str, loss: bool) -> Option<String> {
        let kinds = self.tallies.iter().filter(|(kind, _)| kind.is_loss() == loss);
        let texts: Vec<String> = kinds.map(|(kind, tally)| format!("{} {kind}", tally.count)).collect();
        (!texts.is_empty()).then(|| format!("{lead}{}", texts.join(", ")))
    }

    /// True if there is nothing to say at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }
}

impl fmt::Display for Ledger {
    /// One line: `lost: 3 unmatched exits, 1 truncated blocks; noted: 2 reserved words`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [self.lost(), self.part("noted: ", false)].into_iter().flatten().collect();
        out.write_str(if parts.is_empty() { "nothing lost" } else { "" })?;
        out.write_str(&parts.join("; "))
    }
}

#[derive(serde::Serialize)]
struct PlaceJson<'a> {
    #[serde(rename = "where")]
    place: &'a str,
    count: u64,
}

#[derive(serde::Serialize)]
struct TallyJson<'a> {
    count: u64,
    loss: bool,
    places: Vec<PlaceJson<'a>>,
    elsewhere: u64,
}

impl Serialize for Ledger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.tallies.len()))?;
        for (kind, tally) in self.tallies() {
            let places = tally.places.iter().map(|(place, &count)| PlaceJson { place, count }).collect();
            let json =
                TallyJson { count: tally.count, loss: kind.is_loss(), places, elsewhere: tally.elsewhere };
            map.serialize_entry(kind.name(), &json)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_counts_by_kind_and_place_and_stays_small() {
        let mut ledger = Ledger::new();
        assert_eq!(ledger.to_string(), "nothing lost");
        for slot in 0..1000 {
            ledger.add(RemarkKind::UnknownId, 2, format!("slot {slot}"));
        }
        ledger.add(RemarkKind::UnknownId, 1, "slot 3");
        ledger.add(RemarkKind::LostWord, 0, "nowhere");
        assert_eq!(ledger.count(RemarkKind::UnknownId), 2001);
        assert_eq!(ledger.count(RemarkKind::LostWord), 0);
        let (kind, tally) = ledger.tallies().next().unwrap();
        assert_eq!((kind, tally.places.len(), tally.elsewhere), (RemarkKind::UnknownId, 100, 1800));
        assert_eq!(tally.places["slot 3"], 3);
        assert!(!ledger.is_lossless());

        let mut other = Ledger::new();
        other.add(RemarkKind::ReservedWord, 4, "x");
        assert!(other.is_lossless());
        assert_eq!((other.lost(), other.to_string().as_str()), (None, "noted: 4 reserved words"));
        other.merge(&ledger);
        assert_eq!(other.lost().as_deref(), Some("lost: 2001 markers with an unknown id"));
        assert_eq!(other.to_string(), "lost: 2001 markers with an unknown id; noted: 4 reserved words");
        let json = serde_json::to_value(&other).unwrap();
        assert_eq!(json["unknown_id"]["count"], 2001);
        assert_eq!(json["reserved_word"]["places"][0]["where"], "x");
    }

    #[test]
    fn every_kind_has_its_own_name() {
        let names: std::collections::BTreeSet<_> = RemarkKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), RemarkKind::ALL.len());
        assert!(RemarkKind::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
