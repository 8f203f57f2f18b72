//! The walker: from one token to the next, for every generation.
//!
//! A token is found by its low 8 bits. Most are only stepped over, and what they add to the time is
//! added; few are looked at. All reads are in bounds because a stream is followed by [`PADDING`] zeros,
//! which are tokens of no meaning in every generation.

use super::token::{Action, Field, Kind, Layout, Table};

/// Zeros behind a stream: the longest token, begun at its last byte, and what is read at once.
pub(super) const PADDING: usize = 32;

/// Bits of the longest token of any generation.
const LONGEST: u64 = 72;

/// Times of a stream end here, far from where sums of them could overflow.
const END_OF_TIME: u64 = 1 << 62;

/// What looks at tokens.
pub(super) trait Sink {
    /// Whether [`Sink::token`] is called.
    const TOKENS: bool = false;
    /// Any token: its kind, where it begins in the stream, in bits, and the time with it.
    fn token(&mut self, _kind: Kind, _at: u64, _time: i64) {}
    /// A wave starts.
    fn start(&mut self, time: i64, layout: &Layout, word: u64);
    /// A wave ends.
    fn end(&mut self, time: i64, layout: &Layout, word: u64);
    /// A word is traced.
    fn data(&mut self, time: i64, layout: &Layout, word: u64);
    /// A register is written.
    fn register(&mut self, time: i64, layout: &Layout, word: u64);
    /// The real-time clock.
    fn real_time(&mut self, time: i64, clock: u64);
    /// Packets were lost.
    fn packet_loss(&mut self, time: i64);
    /// No token begins at this bit.
    fn unknown(&mut self, at: u64);
}

/// The time of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// Cycles since the stream began.
    time: u64,
    /// What TIME tokens of gfx9 count from.
    base: Option<i64>,
}

impl Clock {
    fn now(self) -> i64 {
        // It never goes beyond END_OF_TIME by more than a stream has tokens.
        self.time as i64
    }

    fn add(&mut self, cycles: u64) {
        self.time = self.time.saturating_add(cycles).min(END_OF_TIME);
    }

    /// gfx9: time is what a TIME token says.
    fn reset(&mut self, value: u64) {
        let value = value as i64;
        let base = *self.base.get_or_insert(value - self.now() + 4);
        if value > base {
            self.time = ((value - base) & !3) as u64;
        }
    }
}

/// Tokens that lie one behind the other.
pub(super) struct Stream<'a> {
    /// A header, the tokens, and [`PADDING`] zeros.
    padded: &'a [u8],
    /// The bit at which the tokens begin.
    start: u64,
    /// The bit at which they end.
    end: u64,
}

impl<'a> Stream<'a> {
    /// Tokens behind a header of so many bytes. `None` where there are no zeros behind the tokens.
    pub(super) fn new(padded: &'a [u8], header: usize) -> Option<Self> {
        let bytes = padded.len().checked_sub(PADDING)?;
        let (start, end) = (header.min(bytes) as u64 * 8, bytes as u64 * 8);
        padded[bytes..].iter().all(|&byte| byte == 0).then_some(Self { padded, start, end })
    }

    /// 64 bits from a bit on; `at` is below `end`.
    #[inline]
    fn word(&self, at: u64) -> u64 {
        let (byte, bit) = ((at >> 3) as usize, at & 7);
        let mut low = [0; 8];
        low.copy_from_slice(&self.padded[byte..byte + 8]);
        let high = u64::from(self.padded[byte + 8]);
        u64::from_le_bytes(low) >> bit | high << 1 << (63 - bit)
    }

    /// The same, without the bits of a ninth byte.
    #[inline]
    fn low_word(&self, at: u64) -> u64 {
        let byte = (at >> 3) as usize;
        let mut low = [0; 8];
        low.copy_from_slice(&self.padded[byte..byte + 8]);
        u64::from_le_bytes(low) >> (at & 7)
    }
}

/// Takes all tokens of a stream. Gives back the bit at which a token begins that is cut off.
pub(super) fn walk<S: Sink>(
    table: &Table,
    stream: &Stream<'_>,
    clock: &mut Clock,
    sink: &mut S,
) -> Option<u64> {
    // Before this every token is whole.
    let whole = stream.end.saturating_sub(LONGEST);
    let at = run::<false, S>(table, stream, stream.start..whole, clock, sink).ok()?;
    run::<true, S>(table, stream, at..stream.end, clock, sink).err()
}

/// Takes the tokens that begin in a range of bits; gives back where the next one begins. Where tokens
/// may be cut off (`CUT`), an error is where one is.
#[inline(never)]
fn run<const CUT: bool, S: Sink>(
    table: &Table,
    stream: &Stream<'_>,
    range: std::ops::Range<u64>,
    clock: &mut Clock,
    sink: &mut S,
) -> Result<u64, u64> {
    let (start, end) = (table.layout(Kind::WaveStart), table.layout(Kind::WaveEnd));
    let mut at = range.start;
    let mut now = *clock;
    while at < range.end {
        let word = stream.low_word(at);
        let entry = table.entries[(word & 0xFF) as usize];
        let mut bits = u64::from(entry.bits);
        if CUT && at + bits > stream.end {
            *clock = now;
            return Err(at);
        }
        now.time += (word >> entry.shift & u64::from(entry.mask)) + u64::from(entry.adds);
        if S::TOKENS && entry.action != Action::Unknown {
            sink.token(table.kind(word as u8), at, now.now());
        }
        match entry.action {
            Action::Skip => {}
            Action::Zeros => bits = zeros(word, at, table.grain),
            Action::Unknown => sink.unknown(at),
            Action::Start => sink.start(now.now(), start, word),
            Action::StartGrowing => {
                sink.start(now.now(), start, word);
                while at + bits < stream.end && stream.low_word(at + bits) & 1 != 0 {
                    bits += 8;
                }
            }
            Action::End => sink.end(now.now(), end, word),
            Action::Data => sink.data(now.now(), table.layout(table.kind(word as u8)), word),
            Action::Register => {
                sink.register(now.now(), table.layout(table.kind(word as u8)), stream.word(at));
            }
            Action::Timestamp => timestamp(table, stream.word(at), &mut now, sink),
            Action::Misc if table.resets => {
                if word == 0 {
                    bits = 64;
                } else {
                    match table.layout(Kind::Misc).get(Field::Subtype, word) {
                        0 => {}
                        1 => {
                            if let Some(value) = time_behind(table, stream, at + bits) {
                                now.reset(value);
                            }
                        }
                        2 => sink.packet_loss(now.now()),
                        _ => {}
                    }
                }
            }
            Action::Misc => {
                if table.layout(Kind::Misc).get(Field::Lost, word) != 0 {
                    sink.packet_loss(now.now());
                }
            }
        }
        at += bits;
    }
    *clock = now;
    Ok(at)
}

/// Zero bits from the lowest on, as far as they are whole units.
#[inline]
fn zeros(word: u64, at: u64, grain: u8) -> u64 {
    let known = 64 - (at & 7);
    let zeros = u64::from(word.trailing_zeros()).min(known);
    (zeros & !(u64::from(grain) - 1)).max(u64::from(grain))
}

fn timestamp<S: Sink>(table: &Table, word: u64, now: &mut Clock, sink: &mut S) {
    let layout = table.layout(Kind::Timestamp);
    let value = layout.get(Field::Time, word);
    let lost = layout.get(Field::Lost, word) != 0;
    if layout.get(Field::Real, word) != 0 {
        if !lost {
            sink.real_time(now.now(), value);
        }
        return;
    }
    if !layout.has(Field::Adds) || layout.get(Field::Adds, word) != 0 {
        now.add(value);
    }
    if lost {
        sink.packet_loss(now.now());
    }
}

/// gfx9: what the next TIME token says, unless time is reset once more before it. Between two resets
/// every token is looked at once, so this takes no more than walking does.
fn time_behind(table: &Table, stream: &Stream<'_>, mut at: u64) -> Option<u64> {
    let misc = table.layout(Kind::Misc);
    while at < stream.end {
        let word = stream.low_word(at);
        let bits = u64::from(table.entries[(word & 0xFF) as usize].bits);
        if at + bits > stream.end {
            return None;
        }
        match table.kind(word as u8) {
            Kind::Time => return Some(table.layout(Kind::Time).get(Field::Time, stream.word(at))),
            Kind::Misc if misc.get(Field::Subtype, word) == 1 => return None,
            _ => at += if word == 0 { 64 } else { bits },
        }
    }
    None
}
