//! The walker: from one token to the next, for every generation.
//!
//! A token is found by its low 8 bits. Most are only stepped over, and what they add to the time is
//! added; few are looked at. All reads are in bounds because a stream is followed by [`PADDING`] zeros,
//! which are tokens of no meaning in every generation.

use super::token::{Action, Entry, Field, Kind, Layout, Table};

/// Zeros behind a stream: the longest token, begun at its last byte, and what is read at once.
pub(super) const PADDING: usize = 32;

/// Bits of the longest token of any generation.
const LONGEST: u64 = 72;

/// Times of a stream go no further: from here on they are none.
const END_OF_TIME: u64 = crate::trace::LONGEST as u64;

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
    /// A word is traced, by the short token or the long one.
    fn data(&mut self, time: i64, layout: &Layout, word: u64, is_short: bool);
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

    /// Zero bits from a bit on, as far as they are whole units and before the end.
    fn zeros(&self, at: u64, grain: u8) -> u64 {
        let word = self.low_word(at);
        let mut zeros = u64::from(word.trailing_zeros()).min(64 - (at & 7));
        if word == 0 {
            // Buffers may be empty for gigabytes.
            let from = ((at + zeros) >> 3) as usize;
            let rest = self.padded.get(from..self.padded.len() - PADDING).unwrap_or_default();
            let empty = rest.chunks_exact(64).take_while(|chunk| **chunk == [0; 64]).count() * 64;
            zeros += 8 * empty as u64;
        }
        zeros & !(u64::from(grain) - 1)
    }
}

/// Takes all tokens of a stream. Gives back the bit at which a token begins that is cut off.
pub(super) fn walk<S: Sink>(
    table: &Table,
    stream: &Stream<'_>,
    clock: &mut Clock,
    sink: &mut S,
) -> Option<u64> {
    let mut walker = Walker { table, stream, now: *clock, sink };
    let at = walker.fast();
    let cut = walker.careful(at);
    *clock = walker.now;
    cut
}

struct Walker<'w, 's, S> {
    table: &'w Table,
    stream: &'w Stream<'s>,
    now: Clock,
    sink: &'w mut S,
}

/// What is left of 64 bits that were read before others are read: the bits that tell a token, and the
/// most that deltas and subtypes need.
const ENOUGH: i64 = 16;

impl<S: Sink> Walker<'_, '_, S> {
    /// Takes tokens as long as all that begin in the 64 bits at hand are whole. Gives back where it stops.
    #[inline(never)]
    fn fast(&mut self) -> u64 {
        let end = self.stream.end.saturating_sub(LONGEST + 64);
        let subtype = self.table.layout(Kind::Misc).bits_of(Field::Subtype);
        let (long, short) = (self.table.layout(Kind::ShaderData), self.table.layout(Kind::ShaderDataShort));
        let mut at = self.stream.start;
        'words: while at < end {
            let mut word = self.stream.low_word(at);
            if word == 0 {
                at += self.stream.zeros(at, self.table.grain).max(u64::from(self.table.grain));
                continue;
            }
            // Below 0 there is not enough any more.
            let mut left = 64 - (at & 7) as i64 - ENOUGH;
            let next = at as i64 + left;
            let mut time = self.now.time;
            loop {
                let entry = &self.table.entries[(word & 0xFF) as usize];
                time += u64::from(entry.adds);
                if S::TOKENS {
                    self.now.time = time + (word >> entry.shift & u64::from(entry.mask));
                    self.see(word, (next - left) as u64);
                }
                if entry.action != Action::Skip {
                    time += word >> entry.shift & u64::from(entry.mask);
                    if entry.action != Action::SkipWide || word & subtype != 0 {
                        self.now.time = time;
                        at = (next - left) as u64;
                        // What a marker-only reader lives on: straight on.
                        if matches!(entry.action, Action::Data | Action::DataShort) {
                            let is_short = entry.action == Action::DataShort;
                            let layout = if is_short { short } else { long };
                            let bits = i64::from(entry.bits);
                            let all = left + ENOUGH >= bits;
                            let word = if all { word } else { self.stream.low_word(at) };
                            self.sink.data(time as i64, layout, word, is_short);
                            at += bits as u64;
                        } else {
                            at += self.act(entry, at);
                        }
                        continue 'words;
                    }
                }
                word = word.wrapping_shr(u32::from(entry.bits));
                left -= i64::from(entry.bits);
                if left < 0 {
                    break;
                }
            }
            self.now.time = time;
            at = (next - left) as u64;
        }
        at
    }

    /// Takes tokens to the end of the stream, one by one. Gives back where one begins that is cut off.
    fn careful(&mut self, mut at: u64) -> Option<u64> {
        while at < self.stream.end {
            let word = self.stream.low_word(at);
            let entry = &self.table.entries[(word & 0xFF) as usize];
            if at + u64::from(entry.bits) > self.stream.end {
                return Some(at);
            }
            self.now.time += u64::from(entry.adds) + (word >> entry.shift & u64::from(entry.mask));
            if S::TOKENS {
                self.see(word, at);
            }
            at += self.act(entry, at);
        }
        None
    }

    fn see(&mut self, word: u64, at: u64) {
        if self.table.entries[(word & 0xFF) as usize].action != Action::Unknown {
            self.sink.token(self.table.kind(word as u8), at, self.now.now());
        }
    }

    /// What a token asks for that begins at a bit, its time added. Gives back how long it is.
    #[inline(never)]
    fn act(&mut self, entry: &Entry, at: u64) -> u64 {
        let (table, stream) = (self.table, self.stream);
        let bits = u64::from(entry.bits);
        let time = self.now.now();
        match entry.action {
            Action::Skip => {}
            Action::SkipWide => return self.misc(at).unwrap_or(bits),
            Action::Zeros => return stream.zeros(at, table.grain).max(bits),
            Action::Unknown => self.sink.unknown(at),
            Action::Data => {
                self.sink.data(time, table.layout(Kind::ShaderData), stream.low_word(at), false);
            }
            Action::DataShort => {
                self.sink.data(time, table.layout(Kind::ShaderDataShort), stream.low_word(at), true);
            }
            Action::Start => self.sink.start(time, table.layout(Kind::WaveStart), stream.low_word(at)),
            Action::StartGrowing => {
                self.sink.start(time, table.layout(Kind::WaveStart), stream.low_word(at));
                let mut end = at + bits;
                while end < stream.end && stream.low_word(end) & 1 != 0 {
                    end += 8;
                }
                return end - at;
            }
            Action::End => self.sink.end(time, table.layout(Kind::WaveEnd), stream.low_word(at)),
            Action::Register => {
                let word = stream.word(at);
                self.sink.register(time, table.layout(table.kind(word as u8)), word);
            }
            Action::Timestamp => timestamp(table, stream.word(at), &mut self.now, self.sink),
            Action::Misc => {
                if table.layout(Kind::Misc).get(Field::Lost, stream.low_word(at)) != 0 {
                    self.sink.packet_loss(time);
                }
            }
        }
        bits
    }

    /// What a MISC token of gfx9 asks for. Gives back the length of a run of zeros.
    fn misc(&mut self, at: u64) -> Option<u64> {
        let (table, stream) = (self.table, self.stream);
        if !table.resets {
            return None;
        }
        let word = stream.low_word(at);
        match table.layout(Kind::Misc).get(Field::Subtype, word) {
            0 if word == 0 => return Some(stream.zeros(at, table.grain).max(16)),
            1 => {
                if let Some(value) = time_behind(table, stream, at + 16) {
                    self.now.reset(value);
                }
            }
            2 => self.sink.packet_loss(self.now.now()),
            _ => {}
        }
        None
    }
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
            _ => at += if word == 0 { stream.zeros(at, table.grain) } else { bits },
        }
    }
    None
}
