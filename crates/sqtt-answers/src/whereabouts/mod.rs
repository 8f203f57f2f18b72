//! Living waves at a trace's end, and who waits for whom: for runs that hung, crashed or were cut off.
//!
//! A wave is alive where the trace has no end of it. Such waves are grouped by kernel and open scopes, with the last
//! marker of each and how long before the last time of its shader engine that was.
//!
//! At barriers, waves wait for those of their workgroup that came to fewer. A *gathering* is the living waves of one
//! workgroup, or of one kernel on one CU where the trace does not say workgroups, one of which at least waits at a
//! barrier. Waves that ended hold nobody up. Doubts are part of the answer: [`Verdict`], [`Doubt`]
//! and [`Note`].

mod barriers;
mod collect;
mod places;
mod text;

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use sqtt_decoder::Ledger;

pub use collect::of_folder;
pub use text::write_text;

/// The answer for one trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Whereabouts {
    /// The trace.
    pub folder: String,
    /// Waves without an end in the trace.
    pub alive: u64,
    /// Waves that ended.
    pub ended: u64,
    /// The living by kernel and open scopes, the most first.
    pub groups: Vec<Group>,
    /// Waits at barriers, sure ones first.
    pub barriers: Vec<Gathering>,
    /// Limits of the answer.
    pub notes: Vec<Note>,
}

/// Waves of one kernel with the same open scopes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The kernel.
    pub kernel: String,
    /// The open scopes, the outermost first.
    pub stack: Vec<String>,
    /// Number of waves.
    pub waves: u64,
    /// Waves by last marker, the most first.
    pub last: Vec<Last>,
}

/// Waves with the same last marker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Last {
    /// The marker. `None` where none was recorded.
    pub marker: Option<LastMarker>,
    /// Number of waves.
    pub waves: u64,
    /// Waves among them with missing words, or older than the trace.
    pub lossy: u64,
    /// Time since the marker; without one, since the launch.
    pub ago: Ago,
    /// Places of the waves: slot, and the number of waves that it had before.
    pub slots: Vec<String>,
}

/// The last thing that a wave traced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct LastMarker {
    /// `enter`, `exit`, `exit_enter`, `point` or `undecoded`.
    pub event: &'static str,
    /// The scope that was entered, or else left, or the point. Empty where that is not known.
    pub name: String,
    /// Its source location.
    pub source_loc: Option<String>,
}

/// Cycles before the last time of the shader engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ago {
    /// The wave that did something last.
    pub least: i64,
    /// The one that did nothing for the longest time.
    pub most: i64,
}

/// Waves of one workgroup, or of one kernel on one CU or WGP, some of which wait at a barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gathering {
    /// The shader engine.
    pub se: u32,
    /// The number of the CU or WGP, as the trace has it.
    pub cu: u16,
    /// `CU`, or `WGP` from gfx10 on.
    pub unit: &'static str,
    /// The workgroup. `None` where the trace does not say it: the waves may be of several.
    pub workgroup: Option<i64>,
    /// The kernel.
    pub kernel: String,
    /// Certainty of the wait.
    pub verdict: Verdict,
    /// Reasons against it.
    pub doubts: Vec<Doubt>,
    /// The living, those that came to the most barriers first.
    pub at: Vec<At>,
    /// Living waves that recorded nothing: filtered out, or not yet at their first marker.
    pub silent: u64,
    /// Waves of the workgroup that ended; they hold nobody up. Empty where the workgroup is not known.
    pub ended: Vec<Ended>,
}

/// Certainty that waves of a gathering wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Some wait for others, which came to fewer barriers.
    Waits,
    /// Some came to fewer barriers, but they may be of another workgroup, or another [`Doubt`] speaks against it.
    MayWait,
    /// None came to fewer barriers than those that wait: nobody alive holds them up, as far as is known.
    Level,
}

/// A reason against a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// All that are behind may have come to more.
    Lossy,
    /// There are named barriers, to which not every wave comes.
    Named,
    /// Counts of a workgroup differ by more than one, which they cannot.
    Apart,
    /// Others started between these, and numbers of workgroups come again.
    Mixed,
}

impl Doubt {
    /// A sentence without a capital letter and a full stop.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Doubt::Lossy => "words of all waves behind were lost: they may have come to as many barriers",
            Doubt::Mixed => "other waves started between these: two workgroups may have one number",
            Doubt::Named => "there are named barriers, to which not every wave has to come",
            Doubt::Apart => {
                "counts of one workgroup cannot differ by more than one: markers are missing, or two workgroups have \
                 one number"
            }
        }
    }
}

/// Waves of a gathering that stand at the same place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct At {
    /// Barriers that they came to; of lossy waves, at least.
    pub barriers: u64,
    /// They wait there: the last marker is that of the barrier.
    pub is_waiting: bool,
    /// The open scopes, the outermost first.
    pub stack: Vec<String>,
    /// Number, last marker and places of the waves.
    #[serde(flatten)]
    pub last: Last,
}

/// Waves that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Barriers that they came to.
    pub barriers: u64,
    /// Number of waves.
    pub waves: u64,
}

/// A limit of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// There is neither a start nor an end of a wave.
    NoLives,
    /// Something was lost, ends of waves perhaps.
    Losses,
    /// No living wave recorded a barrier.
    NoBarriers,
    /// Some waves have no workgroup.
    NoWorkgroups,
    /// All workgroups have numbers of five bits.
    FiveBits,
}

impl Note {
    /// A sentence without a capital letter and a full stop.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Note::NoLives => {
                "the trace has neither starts nor ends of waves: which of these ended is not known"
            }
            Note::Losses => {
                "something was lost: a wave whose end was lost looks alive, and counts of barriers of lossy waves are \
                 lower bounds"
            }
            Note::NoBarriers => {
                "no living wave recorded a barrier; compiled with SQTT_INSTRUMENT_BARRIERS=1, waves that the \
                 SQTT_SCOPE_ variables let through record the barriers that they come to"
            }
            Note::NoWorkgroups => {
                "the trace does not say which workgroup every wave is of: raw traces before gfx12 never do, JSON only \
                 where is_ext is 1. Waves of several workgroups may stand together, and be no part of a wait"
            }
            Note::FiveBits => {
                "GPUs trace five bits of a workgroup's number: two workgroups of one number on one WGP count as one"
            }
        }
    }
}

impl Serialize for Doubt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

#[derive(Serialize)]
struct WhereJson<'a> {
    unit: &'static str,
    traces: &'a [Whereabouts],
    losses: &'a Ledger,
}

/// Writes one JSON object: an answer per trace, and the ledger as `losses`. An absent value is `null`.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_json(out: &mut dyn Write, traces: &[Whereabouts], losses: &Ledger) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &WhereJson { unit: "cycles", traces, losses })?;
    writeln!(out)
}
