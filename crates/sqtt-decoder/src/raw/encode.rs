//! Writes streams, with the tables that they are read with: for the simulator, and for tests.

use super::engine::{PROGRAM_HI, PROGRAM_LO};
use super::generation::Generation;
use super::packets::{self, ENABLE, LoadedObject};
use super::token::{Field, TokenKind, TokenRow, TokenTable};
use crate::trace::{Record, SlotId};

/// Why something cannot be said in a stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A value has no room in the token.
    #[error("{generation} has no {what} token with {fields}")]
    NoRoom {
        /// The generation.
        generation: &'static str,
        /// The kind of token.
        what: String,
        /// Fields that it was to have.
        fields: String,
    },
    /// A time before the one of the last token.
    #[error("cycle {time} comes before cycle {now}, which the stream has reached")]
    Backwards {
        /// The time asked for.
        time: u64,
        /// The stream's.
        now: u64,
    },
    /// A time that the generation cannot tell.
    #[error("cycle {time}: {generation} counts in steps of {step} cycles, and not beyond 2^47")]
    Time {
        /// The generation.
        generation: &'static str,
        /// The time asked for.
        time: u64,
        /// Cycles of a step.
        step: u64,
    },
    /// Something that the GPU lacks.
    #[error("{generation} has no {what}")]
    Lacks {
        /// The generation.
        generation: &'static str,
        /// The thing that it lacks.
        what: &'static str,
    },
}

/// A stream of one shader engine that is being written. Times must not go back.
#[derive(Debug)]
pub struct Encoder {
    generation: Generation,
    table: &'static TokenTable,
    bytes: Vec<u8>,
    /// Bits that are used.
    bits: u64,
    now: u64,
    /// gfx9: whether time was set once, so that it can be set again.
    is_set: bool,
}

/// Times are below this: with what TIME tokens of gfx9 count from, they have room in 48 bits.
const LAST_TIME: u64 = 1 << 47;

/// Origin of the TIME tokens of gfx9; any number would do.
const ORIGIN: u64 = 1 << 20;

/// Version of gfx9's file header that is written: MI300.
const GFX9_GPU: u64 = 5;

/// Bytes that GPUs write at a time.
const UNIT: usize = 32;

impl Encoder {
    /// Begins a stream.
    #[must_use]
    pub fn new(generation: Generation) -> Self {
        let mut encoder =
            Self { generation, table: generation.table(), bytes: Vec::new(), bits: 0, now: 0, is_set: false };
        match generation.version() {
            Some(version) => encoder.put(0x11 | u128::from(version) << 7, 64),
            // All SIMDs of the first CU are traced in full.
            None => encoder.put(u128::from(0x11 | GFX9_GPU << 13 | 0xF << 16), 64),
        }
        encoder
    }

    /// The time of the last token.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// A code object was loaded.
    ///
    /// # Errors
    ///
    /// [`EncodeError`], as for all that follows.
    pub fn loaded(&mut self, time: u64, object: &LoadedObject) -> Result<(), EncodeError> {
        self.user_data(time, ENABLE)?;
        object.words().into_iter().try_for_each(|word| self.user_data(time, word))
    }

    /// The profiler writes a word of its own.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn user_data(&mut self, time: u64, word: u32) -> Result<(), EncodeError> {
        self.token(
            time,
            TokenKind::Reg,
            &[(Field::Me, 1), (Field::Address, packets::REGISTER), (Field::Data, u64::from(word))],
        )
    }

    /// The first pipe is told to launch the kernel whose code is at an address of the GPU's memory, a
    /// multiple of 256.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn program(&mut self, time: u64, address: u64) -> Result<(), EncodeError> {
        let (low, high) = (address >> 8 & 0xFFFF_FFFF, address >> 40);
        let kind = if self.table.row(TokenKind::RegCsPriv).is_some() {
            TokenKind::RegCsPriv
        } else {
            TokenKind::Reg
        };
        let compute = u64::from(kind == TokenKind::Reg);
        for (register, value) in [(PROGRAM_LO, low), (PROGRAM_HI, high)] {
            self.token(
                time,
                kind,
                &[
                    (Field::Me, 1),
                    (Field::Compute, compute),
                    (Field::Address, register),
                    (Field::Data, value),
                ],
            )?;
        }
        Ok(())
    }

    /// A wave starts, launched by the first pipe.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn start(&mut self, time: u64, slot: SlotId) -> Result<(), EncodeError> {
        let fields = self.start_fields(slot);
        self.token(time, TokenKind::WaveStart, &fields)
    }

    /// A wave of a workgroup starts, launched by the first pipe. The token has room for five bits: the low ones are
    /// written.
    ///
    /// # Errors
    ///
    /// [`EncodeError`]; before gfx12 streams do not say workgroups.
    pub fn start_in(&mut self, time: u64, slot: SlotId, workgroup: u64) -> Result<(), EncodeError> {
        let bits = self.table.layout(TokenKind::WaveStartExt).most(Field::Workgroup);
        if bits == 0 {
            return Err(EncodeError::Lacks {
                generation: self.generation.name(),
                what: "workgroups in its streams",
            });
        }
        let mut fields = self.start_fields(slot);
        fields.push((Field::Workgroup, workgroup & bits));
        self.token(time, TokenKind::WaveStartExt, &fields)
    }

    fn start_fields(&self, slot: SlotId) -> Vec<(Field, u64)> {
        let mut fields = place(slot);
        fields.push((Field::Me, 1 - self.table.first_me));
        fields
    }

    /// A wave ends.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn end(&mut self, time: u64, slot: SlotId) -> Result<(), EncodeError> {
        self.token(time, TokenKind::WaveEnd, &place(slot))
    }

    /// A wave traces a word. The record's time is the token's.
    ///
    /// # Errors
    ///
    /// [`EncodeError`]; where the GPU has no immediate words, or does not tell the trap handler's, also
    /// for these.
    pub fn data(&mut self, slot: SlotId, record: Record) -> Result<(), EncodeError> {
        let time =
            u64::try_from(record.time).map_err(|_| EncodeError::Backwards { time: 0, now: self.now })?;
        let kind = if record.is_immediate() { TokenKind::ShaderDataShort } else { TokenKind::ShaderData };
        let mut fields = place(slot);
        fields.push((Field::Trap, u64::from(record.is_privileged())));
        fields.push((Field::Data, u64::from(record.value)));
        self.token(time, kind, &fields)
    }

    /// The real-time clock at a time.
    ///
    /// # Errors
    ///
    /// [`EncodeError`]; gfx9 does not say it.
    pub fn real_time(&mut self, time: u64, clock: u64) -> Result<(), EncodeError> {
        self.lacking(TokenKind::Timestamp, "real time in its streams")?;
        self.token(time, TokenKind::Timestamp, &[(Field::Real, 1), (Field::Time, clock)])
    }

    /// Packets were lost.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn packet_loss(&mut self, time: u64) -> Result<(), EncodeError> {
        match self.generation {
            Generation::Gfx9 => self.token(time, TokenKind::Misc, &[(Field::Subtype, 2)]),
            Generation::Gfx10 => self.token(time, TokenKind::Misc, &[(Field::Lost, 1)]),
            _ => self.token(time, TokenKind::Timestamp, &[(Field::Lost, 1)]),
        }
    }

    /// Any token, at a time.
    ///
    /// # Errors
    ///
    /// [`EncodeError`].
    pub fn token(&mut self, time: u64, kind: TokenKind, fields: &[(Field, u64)]) -> Result<(), EncodeError> {
        let generation = self.generation.name();
        let refused =
            || EncodeError::NoRoom { generation, what: format!("{kind:?}"), fields: format!("{fields:?}") };
        let row = self.table.row(kind).ok_or_else(refused)?;
        // Before time is moved, so that nothing is written of what cannot be.
        row.encode(0, fields).ok_or_else(refused)?;
        let step = 1 << self.table.scale;
        let gap = time.checked_sub(self.now).ok_or(EncodeError::Backwards { time, now: self.now })?;
        if gap % step != 0 || time >= LAST_TIME {
            return Err(EncodeError::Time { generation, time, step });
        }
        let mut gap = gap / step;
        let adds = u64::from(row.adds);
        if gap > row.most() + adds || gap < adds {
            gap -= self.advance(gap - gap.min(row.most()));
        }
        let Some(word) = row.encode(gap, fields) else { return Err(refused()) };
        let (bits, grows) = (row.bits, row.grows);
        self.put(word, bits);
        if grows && let Some(nop) = self.table.row(TokenKind::Nop) {
            // A token with its lowest bit set would be taken for more of this one.
            let bits = nop.bits;
            self.put(0, bits);
        }
        self.now = time;
        Ok(())
    }

    /// Tokens that only move time on, by so many steps at least and little more; gives back how many it
    /// was exactly.
    fn advance(&mut self, steps: u64) -> u64 {
        if self.table.resets { self.advance_gfx9(steps) } else { self.advance_later(steps) }
    }

    fn advance_later(&mut self, steps: u64) -> u64 {
        let (Some(time), Some(stamp)) =
            (self.table.row(TokenKind::Time), self.table.row(TokenKind::Timestamp))
        else {
            return 0;
        };
        let (adds, most) = (u64::from(time.adds), time.most());
        if (adds..=adds + most).contains(&steps)
            && let Some(word) = time.encode(steps - adds, &[])
        {
            let bits = time.bits;
            self.put(word, bits);
            return steps;
        }
        let mut done = 0;
        while done < steps {
            // 36 bits of time are the least that a generation has in a timestamp.
            let part = (steps - done).min((1 << 36) - 1);
            let adds = u64::from(self.table.layout(TokenKind::Timestamp).has(Field::Adds));
            let Some(word) = stamp.encode(0, &[(Field::Adds, adds), (Field::Time, part)]) else { break };
            let bits = stamp.bits;
            self.put(word, bits);
            done += part;
        }
        done
    }

    fn advance_gfx9(&mut self, steps: u64) -> u64 {
        let (Some(misc), Some(time)) = (self.table.row(TokenKind::Misc), self.table.row(TokenKind::Time))
        else {
            return 0;
        };
        let most = misc.most();
        if steps > 4 * most {
            // The first reset says only what is counted from.
            let first = (!self.is_set).then_some(self.now + ORIGIN - 4);
            self.is_set = true;
            for value in first.into_iter().chain([self.now + 4 * steps + ORIGIN]) {
                for (row, field, value) in [(misc, Field::Subtype, 1), (time, Field::Time, value)] {
                    if let Some(word) = row.encode(0, &[(field, value)]) {
                        let bits = row.bits;
                        self.put(word, bits);
                    }
                }
            }
            return steps;
        }
        let mut done = 0;
        while done < steps {
            let part = (steps - done).min(most);
            let Some(word) = misc.encode(part, &[]) else { break };
            let bits = misc.bits;
            self.put(word, bits);
            done += part;
        }
        done
    }

    fn lacking(&self, kind: TokenKind, what: &'static str) -> Result<&'static TokenRow, EncodeError> {
        self.table.row(kind).ok_or(EncodeError::Lacks { generation: self.generation.name(), what })
    }

    fn put(&mut self, word: u128, bits: u8) {
        let (shift, mut left) = (self.bits % 8, u64::from(bits));
        let mut word = word;
        if shift > 0
            && let Some(last) = self.bytes.last_mut()
        {
            // Tokens begin at multiples of 4 bits.
            *last |= (word << shift) as u8;
            word >>= 8 - shift;
            left = left.saturating_sub(8 - shift);
        }
        while left > 0 {
            self.bytes.push(word as u8);
            word >>= 8;
            left = left.saturating_sub(8);
        }
        self.bits += u64::from(bits);
    }

    /// The bytes so far, of which the last may be half a byte.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Ends the stream: fills the last unit that the GPU would write.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let header = if self.table.resets { 8 } else { 0 };
        let tokens = self.bytes.len().saturating_sub(header);
        self.bytes.resize(header + tokens.next_multiple_of(UNIT), 0);
        self.bytes
    }
}

fn place(slot: SlotId) -> Vec<(Field, u64)> {
    vec![
        (Field::Array, u64::from(slot.cu >> 7)),
        (Field::Unit, u64::from(slot.cu & 0x7F)),
        (Field::Simd, u64::from(slot.simd)),
        (Field::Slot, u64::from(slot.slot)),
    ]
}
