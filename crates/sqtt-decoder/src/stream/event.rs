//! Events of a marker stream.

use sqtt_format::{Entry, Marker};

/// Effect of a record, or of the end of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Opened a scope.
    Enter,
    /// Closed the scope on top; [`Event::closed`] says which, or that there was none.
    Exit,
    /// Closed the scope on top and opened another.
    ExitEnter,
    /// An event that leaves the scopes alone, with its payload.
    Point,
    /// A reserved word: nothing.
    Reserved,
    /// A word that cannot be read, because its wave's code object is not known and it may be payload.
    Undecoded,
}

impl EventKind {
    /// `enter`, `exit`, `exit_enter`, `point`, `reserved` or `undecoded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Enter => "enter",
            EventKind::Exit => "exit",
            EventKind::ExitEnter => "exit_enter",
            EventKind::Point => "point",
            EventKind::Reserved => "reserved",
            EventKind::Undecoded => "undecoded",
        }
    }
}

/// Why a scope was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CloseReason {
    /// By its exit.
    Marker,
    /// By the end of its wave; its own exit is missing.
    WaveEnd,
    /// By the last record of its wave, whose end is not in the trace: it lasted at least that long.
    TraceEnd,
    /// By a loss of packets: when it ended is not known.
    PacketLoss,
}

impl CloseReason {
    /// `marker`, `wave_end`, `trace_end` or `packet_loss`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CloseReason::Marker => "marker",
            CloseReason::WaveEnd => "wave_end",
            CloseReason::TraceEnd => "trace_end",
            CloseReason::PacketLoss => "packet_loss",
        }
    }

    /// True if the scope's duration is a measured one, or one up to the end of its wave.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(self, CloseReason::Marker | CloseReason::WaveEnd)
    }
}

/// A scope that was closed. Times are cycles of the shader clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closed<'a> {
    /// The id of the marker that opened it.
    pub id: u32,
    /// Its row of the funcmap; `None` for an unknown id.
    pub entry: Option<&'a Entry>,
    /// When it was opened.
    pub begin: i64,
    /// When it was closed.
    pub end: i64,
    /// Time of that in its inner scopes.
    pub inner: i64,
    /// Why it was closed.
    pub reason: CloseReason,
}

impl Closed<'_> {
    /// From open to close.
    #[must_use]
    pub const fn inclusive(&self) -> i64 {
        self.end.saturating_sub(self.begin)
    }

    /// Without the inner scopes.
    #[must_use]
    pub const fn exclusive(&self) -> i64 {
        self.inclusive().saturating_sub(self.inner)
    }
}

/// One event of a wave. The events of a wave never go back in time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event<'a> {
    /// When it happened, in cycles of the shader clock, corrected where there is a correction.
    pub time: i64,
    /// Kind of event.
    pub kind: EventKind,
    /// The marker; a bare exit for scopes that the end of the wave closed.
    pub marker: Marker,
    /// Row of the marker in the funcmap; `None` for a bare exit and for an unknown id.
    pub entry: Option<&'a Entry>,
    /// The record's word; `None` where there is no record, only the end of a wave or of a scope by loss.
    pub raw: Option<u32>,
    /// When the record arrived.
    pub arrival: i64,
    /// The clock field of a packed header, right-aligned.
    pub shader_clock: Option<u32>,
    /// The words behind the header, as many as the funcmap says, or none where they were cut off.
    pub payload: &'a [u32],
    /// True if payload words were cut off.
    pub truncated: bool,
    /// The scope that was closed.
    pub closed: Option<Closed<'a>>,
    /// Scopes that are open after the event.
    pub depth: usize,
}
