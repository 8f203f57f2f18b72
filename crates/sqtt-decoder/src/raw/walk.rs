//! The walker: from one token to the next, for every generation.
//!
//! A token is found by its low 8 bits. Most are only stepped over, and what they add to the time is
//! added; few are looked at.

use super::token::{Action, Entry, Field, TokenKind, TokenLayout, TokenTable};
use super::window::{ByteSource, WINDOW, Window, low_word};
use crate::steps::step;

/// Times of a stream go no further: from here on they are none.
const END_OF_TIME: u64 = crate::trace::LONGEST as u64;

/// Receiver of tokens.
pub(super) trait Sink {
    /// True if [`Sink::token`] is called.
    const TOKENS: bool = false;
    /// Any token: its kind, where it begins in the stream, in bits, and the time with it.
    fn token(&mut self, _kind: TokenKind, _at: u64, _time: i64) {}
    /// A wave starts.
    fn start(&mut self, time: i64, layout: &TokenLayout, word: u64);
    /// A wave ends.
    fn end(&mut self, time: i64, layout: &TokenLayout, word: u64);
    /// A word is traced, by the short token or the long one.
    fn data(&mut self, time: i64, word: u64, is_short: bool);
    /// A register is written.
    fn register(&mut self, time: i64, layout: &TokenLayout, word: u64);
    /// The real-time clock.
    fn real_time(&mut self, time: i64, clock: u64);
    /// Packets were lost.
    fn packet_loss(&mut self, time: i64);
    /// No token begins at this bit.
    fn unknown(&mut self, time: i64, at: u64);
}

/// The time of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clock {
    /// Cycles since the stream began.
    time: u64,
    /// Origin of the TIME tokens of gfx9.
    base: Option<i64>,
    /// True if it ever came to the end of time.
    pub(super) ran_out: bool,
}

impl Clock {
    pub(super) fn now(self) -> i64 {
        // It never goes beyond END_OF_TIME by more than a stream has tokens.
        self.time as i64
    }

    fn add(&mut self, cycles: u64) {
        self.set(self.time.saturating_add(cycles));
    }

    fn set(&mut self, time: u64) {
        self.time = time.min(END_OF_TIME);
        self.ran_out |= time >= END_OF_TIME;
    }

    /// gfx9: time is what a TIME token says.
    fn reset(&mut self, value: u64) {
        let value = value as i64;
        let base = *self.base.get_or_insert(value - self.now() + 4);
        if value > base {
            self.set(((value - base) & !3) as u64);
        }
    }
}

/// Takes all tokens of a stream behind a header of so many bytes. Gives back the bit of the stream at which a
/// token begins that is cut off.
pub(super) fn walk<S: Sink>(
    table: &TokenTable,
    source: &mut dyn ByteSource,
    header: usize,
    clock: &mut Clock,
    sink: &mut S,
) -> Option<u64> {
    walk_in(WINDOW, table, source, header, clock, sink)
}

/// Walks with windows of another size.
pub(super) fn walk_in<S: Sink>(
    size: usize,
    table: &TokenTable,
    source: &mut dyn ByteSource,
    header: usize,
    clock: &mut Clock,
    sink: &mut S,
) -> Option<u64> {
    let mut window = Window::new(size, header as u64, source);
    let (mut at, mut grows) = (0, false);
    loop {
        let mut walker = Walker { table, window: &window, source, now: *clock, sink, grows };
        at = walker.fast(at);
        if window.is_last() {
            let cut = walker.careful(at);
            *clock = walker.now;
            return cut;
        }
        (*clock, grows) = (walker.now, walker.grows);
        at = window.advance(at, source);
    }
}

struct Walker<'w, S> {
    table: &'w TokenTable,
    window: &'w Window,
    source: &'w mut dyn ByteSource,
    now: Clock,
    sink: &'w mut S,
    /// True if a token is at hand whose length is known only by its last byte.
    grows: bool,
}

/// Bits left of 64 that were read before others are read: the bits that tell a token, and the
/// most that deltas and subtypes need.
const ENOUGH: i64 = 16;

impl<S: Sink> Walker<'_, S> {
    /// Takes tokens as long as all that begin in the 64 bits at hand are whole. Gives back where it stops.
    #[inline(never)]
    fn fast(&mut self, mut at: u64) -> u64 {
        let (end, padded) = (self.window.safe_end(), self.window.padded());
        let subtype = self.table.layout(TokenKind::Misc).bits(Field::Subtype).in_place();
        if self.grows {
            at = self.grown(at);
        }
        let mut time = self.now.time;
        'words: while at < end {
            let mut word = low_word(padded, at);
            // Below 0 there is not enough any more.
            let mut left = 64 - (at & 7) as i64 - ENOUGH;
            let next = at as i64 + left;
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
                        at = (next - left) as u64;
                        if entry.action >= Action::Data {
                            // What a stream of nothing but markers consists of: straight on, each kind with code
                            // of its own. Of one that is not the first at hand the end may be missing.
                            let is_whole = left + ENOUGH >= i64::from(entry.bits);
                            let word = if is_whole { word } else { low_word(padded, at) };
                            at += u64::from(entry.bits);
                            if entry.action == Action::Data {
                                self.sink.data(time as i64, word, false);
                            } else {
                                self.sink.data(time as i64, word, true);
                            }
                        } else {
                            self.now.time = time;
                            at += self.act(entry, at);
                            time = self.now.time;
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
            at = (next - left) as u64;
        }
        self.now.time = time;
        at
    }

    /// Takes tokens to the end of the stream, one by one. Gives back the bit of the stream at which one begins
    /// that is cut off.
    fn careful(&mut self, mut at: u64) -> Option<u64> {
        let end = self.window.end();
        while at < end {
            let word = self.window.low_word(at);
            let entry = &self.table.entries[(word & 0xFF) as usize];
            if at + u64::from(entry.bits) > end {
                return Some(self.window.in_stream(at));
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
            self.sink.token(self.table.kind(word as u8), self.window.in_stream(at), self.now.now());
        }
    }

    /// Does what a token asks for that begins at a bit, its time added. Gives back how long it is.
    #[inline(never)]
    fn act(&mut self, entry: &Entry, at: u64) -> u64 {
        step();
        let (table, window) = (self.table, self.window);
        let bits = u64::from(entry.bits);
        let time = self.now.now();
        match entry.action {
            Action::SkipWide | Action::Zeros if table.resets => return self.misc(at).unwrap_or(bits),
            Action::Skip | Action::SkipWide => {}
            Action::Zeros => return window.zeros(at, table.grain).max(bits),
            Action::Unknown => self.sink.unknown(time, window.in_stream(at)),
            Action::Data => self.sink.data(time, window.low_word(at), false),
            Action::DataShort => self.sink.data(time, window.low_word(at), true),
            Action::Start => self.sink.start(time, table.layout(TokenKind::WaveStart), window.low_word(at)),
            Action::StartGrowing => {
                self.sink.start(time, table.layout(TokenKind::WaveStartExt), window.low_word(at));
                return self.grown(at + bits) - at;
            }
            Action::End => self.sink.end(time, table.layout(TokenKind::WaveEnd), window.low_word(at)),
            Action::Register => {
                let word = window.word(at);
                self.sink.register(time, table.layout(table.kind(word as u8)), word);
            }
            Action::Timestamp => timestamp(table, window.word(at), &mut self.now, self.sink),
            Action::Misc => {
                if table.layout(TokenKind::Misc).get(Field::Lost, window.low_word(at)) != 0 {
                    self.sink.packet_loss(time);
                }
            }
        }
        bits
    }

    /// The bit behind a token that goes on while the next byte has its lowest bit set.
    fn grown(&mut self, mut at: u64) -> u64 {
        self.grows = true;
        while at < self.window.end() {
            if self.window.low_word(at) & 1 == 0 {
                self.grows = false;
                break;
            }
            at += 8;
        }
        at
    }

    /// gfx9: what the next TIME token behind a bit says, which may lie far behind the window.
    fn time_behind(&mut self, at: u64) -> Option<u64> {
        let mut found = next_time(self.table, self.window, at);
        let mut ahead: Option<Window> = None;
        loop {
            let at = match found {
                NextTime::Says(value) => return Some(value),
                NextTime::None => return None,
                NextTime::Further(at) => at,
            };
            let (window, at) = match &mut ahead {
                Some(window) => {
                    let at = window.advance(at, self.source);
                    (window, at)
                }
                none => (none.insert(self.window.ahead(at, self.source)), at & 7),
            };
            found = next_time(self.table, window, at);
        }
    }

    /// Does what a MISC token of gfx9 asks for. Gives back the length of a run of zeros.
    fn misc(&mut self, at: u64) -> Option<u64> {
        let (table, window) = (self.table, self.window);
        let word = window.low_word(at);
        match table.layout(TokenKind::Misc).get(Field::Subtype, word) {
            0 if word & 0xFFFF == 0 => return Some(window.zeros(at, table.grain)),
            1 => {
                if let Some(value) = self.time_behind(at + 16) {
                    self.now.reset(value);
                }
            }
            2 => self.sink.packet_loss(self.now.now()),
            _ => {}
        }
        None
    }
}

fn timestamp<S: Sink>(table: &TokenTable, word: u64, now: &mut Clock, sink: &mut S) {
    let layout = table.layout(TokenKind::Timestamp);
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

/// Result of the search for the next TIME token.
enum NextTime {
    Says(u64),
    /// There is none before the end, or before time is reset once more.
    None,
    /// Not in this window: the first token behind those that were looked at.
    Further(u64),
}

/// gfx9: what the next TIME token says, unless time is reset once more before it. Between two resets
/// every token is looked at once, so this takes no more than walking does.
fn next_time(table: &TokenTable, window: &Window, mut at: u64) -> NextTime {
    let misc = table.layout(TokenKind::Misc);
    let end = if window.is_last() { window.end() } else { window.safe_end() };
    while at < end {
        step();
        let word = window.low_word(at);
        let bits = u64::from(table.entries[(word & 0xFF) as usize].bits);
        if at + bits > window.end() {
            return NextTime::None;
        }
        match table.kind(word as u8) {
            TokenKind::Time => {
                return NextTime::Says(table.layout(TokenKind::Time).get(Field::Time, window.word(at)));
            }
            TokenKind::Misc if misc.get(Field::Subtype, word) == 1 => return NextTime::None,
            _ => at += if word == 0 { window.zeros(at, table.grain) } else { bits },
        }
    }
    if window.is_last() { NextTime::None } else { NextTime::Further(at) }
}
