//! The part of a stream that is at hand: a window of it, so that its length is no matter.
//!
//! All reads of bits are in bounds because a window is followed by [`PADDING`] bytes. After the last one
//! of a stream they are zeros, which are tokens of no meaning in every generation.

/// Source of the bytes of a stream.
pub(super) trait ByteSource {
    /// Fills the buffer with what begins at a byte of the stream. Gives back how much there was: less
    /// only where the stream ends.
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> usize;
}

/// A window and what is behind it. Its length is known, so that bounds are compared with a constant.
pub(super) type Padded = [u8; WINDOW + PADDING];

/// Bytes of a stream that are held at a time.
pub(super) const WINDOW: usize = 1 << 18;

/// Bytes behind a window: the longest token, begun at its last byte, and what is read at once.
const PADDING: usize = 32;

/// Bits of the longest token of any generation.
const LONGEST: u64 = 72;

/// See the [module](self). Bits are counted from where the window begins.
pub(super) struct Window {
    padded: Box<Padded>,
    /// At most [`WINDOW`].
    size: usize,
    filled: usize,
    /// Byte of the stream where it begins.
    base: u64,
    is_last: bool,
}

impl Window {
    /// Reads from a byte of the stream on, as many bytes as asked for.
    pub(super) fn new(size: usize, base: u64, source: &mut dyn ByteSource) -> Self {
        let padded = Box::new([0; WINDOW + PADDING]);
        let mut window = Self { padded, size, filled: 0, base, is_last: false };
        window.advance(0, source);
        window
    }

    /// Another one, far behind this one.
    pub(super) fn ahead(&self, at: u64, source: &mut dyn ByteSource) -> Self {
        Self::new(self.size, self.base + at / 8, source)
    }

    /// Moves on to what begins at the byte with this bit. Gives back which bit of the new window it is.
    pub(super) fn advance(&mut self, bit: u64, source: &mut dyn ByteSource) -> u64 {
        let from = ((bit >> 3) as usize).min(self.filled);
        self.padded.copy_within(from..self.filled, 0);
        self.base += from as u64;
        let kept = self.filled - from;
        self.filled = kept + source.read_at(self.base + kept as u64, &mut self.padded[kept..self.size]);
        self.padded[self.filled..self.filled + PADDING].fill(0);
        self.is_last = self.filled < self.size;
        bit - from as u64 * 8
    }

    /// True if the stream ends where the window does.
    pub(super) fn is_last(&self) -> bool {
        self.is_last
    }

    /// The bit at which the window ends.
    pub(super) fn end(&self) -> u64 {
        self.filled as u64 * 8
    }

    /// Tokens that begin before this bit, or in the 64 bits behind one that is before it, are whole.
    pub(super) fn safe_end(&self) -> u64 {
        self.end().saturating_sub(LONGEST + 64)
    }

    /// The bit of the stream that a bit of the window is.
    pub(super) fn in_stream(&self, bit: u64) -> u64 {
        self.base * 8 + bit
    }

    /// The bytes at hand, and those behind them.
    pub(super) fn padded(&self) -> &Padded {
        &self.padded
    }

    /// 64 bits from a bit on, which is before the end.
    #[inline]
    pub(super) fn word(&self, at: u64) -> u64 {
        let high = u64::from(self.padded[(at >> 3) as usize + 8]);
        self.low_word(at) | high << 1 << (63 - (at & 7))
    }

    /// Reads without the bits of a ninth byte.
    #[inline]
    pub(super) fn low_word(&self, at: u64) -> u64 {
        low_word(&self.padded, at)
    }

    /// Zero bits from a bit on, as far as they are whole units and before the end.
    #[inline(never)]
    pub(super) fn zeros(&self, at: u64, grain: u8) -> u64 {
        let word = self.low_word(at);
        let mut zeros = u64::from(word.trailing_zeros()).min(64 - (at & 7));
        if word == 0 {
            // Buffers may be empty for gigabytes.
            let from = ((at + zeros) >> 3) as usize;
            let rest = self.padded.get(from..self.filled).unwrap_or_default();
            let empty = rest.chunks_exact(64).take_while(|chunk| **chunk == [0; 64]).count() * 64;
            zeros += 8 * empty as u64;
        }
        zeros & !(u64::from(grain) - 1)
    }
}

/// 64 bits from a bit on, without those of a ninth byte.
#[inline]
pub(super) fn low_word(padded: &Padded, at: u64) -> u64 {
    let byte = (at >> 3) as usize;
    let mut low = [0; 8];
    low.copy_from_slice(&padded[byte..byte + 8]);
    u64::from_le_bytes(low) >> (at & 7)
}
