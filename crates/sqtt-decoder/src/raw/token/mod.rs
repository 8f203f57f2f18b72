//! Layout of tokens: rows of a generation's table, and the table made ready for walking.

mod table;

pub(super) use table::{Action, Entry, Grain, TokenTable};

/// Meaning of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the names are AMD's; docs/raw.md says what is known of them")]
pub enum TokenKind {
    Nop,
    Misc,
    Time,
    MediumTime,
    Timestamp,
    Header,
    Reg,
    RegCs,
    RegCsPriv,
    RegInit,
    WaveStart,
    WaveStartExt,
    WaveAlloc,
    WaveReady,
    WaveEnd,
    ShaderData,
    ShaderDataShort,
    Inst,
    InstPc,
    NewPc,
    Valu,
    ImmOne,
    Immediate,
    VmemExec,
    AluExec,
    ExecPopcount1,
    ExecPopcount3,
    Issue,
    Perf,
    UtilCounter,
    LdsConfig,
    Event,
    EventCs,
    EventGfx,
    EventSync,
}

impl TokenKind {
    const COUNT: usize = TokenKind::EventSync as usize + 1;
}

/// A field of a token that is looked at. A token that lacks one has it as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// Shader array (gfx10 and later).
    Array,
    /// WGP, or on gfx9 CU.
    Unit,
    /// SIMD.
    Simd,
    /// Wave slot.
    Slot,
    /// Pipe of the micro engine.
    Pipe,
    /// Micro engine.
    Me,
    /// Count with a wave's start; it tells context saves and restores.
    Count,
    /// The traced word, or what is written to a register.
    Data,
    /// Not 0: not a traced word at all (gfx11).
    Exec,
    /// Not 0: the trap handler traced it (gfx12).
    Trap,
    /// Number of a register.
    Address,
    /// 1: a register of the compute pipes.
    Compute,
    /// A time or a part of one.
    Time,
    /// 1: the time is to be added. Where a timestamp lacks it, it is added unless it is real time.
    Adds,
    /// 1: the time is that of the real-time clock.
    Real,
    /// 1: packets were lost.
    Lost,
    /// Kind of a MISC token (gfx9).
    Subtype,
    /// Number of the workgroup (gfx12).
    Workgroup,
}

impl Field {
    const COUNT: usize = Field::Workgroup as usize + 1;
}

/// A row of a table of tokens. All bits are counted from the token's lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenRow {
    pub(super) kind: TokenKind,
    pattern: u8,
    pattern_bits: u8,
    /// Length of the token.
    pub(super) bits: u8,
    /// Lowest bit and number of bits of what the token adds to the time.
    pub(super) delta: (u8, u8),
    /// Cycles that it adds besides.
    pub(super) adds: u8,
    /// True if more bytes follow while the next has its lowest bit set.
    pub(super) grows: bool,
    fields: &'static [(Field, u8, u8)],
}

/// A token by the low bits that it is known by, as they are written in AMD's tables (`"01100"`: the
/// lowest two bits are 0), and its length in bits.
pub(super) const fn token(kind: TokenKind, pattern: &str, bits: u8) -> TokenRow {
    let digits = pattern.as_bytes();
    let (mut value, mut at) = (0, 0);
    while at < digits.len() {
        value = value << 1 | (digits[at] - b'0');
        at += 1;
    }
    TokenRow {
        kind,
        pattern: value,
        pattern_bits: digits.len() as u8,
        bits,
        delta: (0, 0),
        adds: 0,
        grows: false,
        fields: &[],
    }
}

impl TokenRow {
    /// Bits `high` to `low` are added to the time.
    pub(super) const fn delta(self, high: u8, low: u8) -> Self {
        Self { delta: (low, high + 1 - low), ..self }
    }

    /// So much is added to the time besides.
    pub(super) const fn adds(self, adds: u8) -> Self {
        Self { adds, ..self }
    }

    /// More bytes follow while the next has its lowest bit set.
    pub(super) const fn grows(self) -> Self {
        Self { grows: true, ..self }
    }

    /// Fields as `(field, high bit, low bit)`.
    pub(super) const fn fields(self, fields: &'static [(Field, u8, u8)]) -> Self {
        Self { fields, ..self }
    }

    /// The most that the token can add to the time, in units of the generation's clock.
    pub(super) fn most(&self) -> u64 {
        mask(self.delta.1)
    }

    /// The token with these fields and this much added to the time. `None` where a value does not fit,
    /// or the token lacks the field.
    pub(super) fn encode(&self, delta: u64, fields: &[(Field, u64)]) -> Option<u128> {
        if delta > self.most() {
            return None;
        }
        let mut word = u128::from(self.pattern) | u128::from(delta) << self.delta.0;
        for &(field, value) in fields {
            let found = self.fields.iter().find(|(own, ..)| *own == field);
            let Some(&(_, high, low)) = found else {
                // What a token lacks reads as 0.
                if value == 0 { continue } else { return None }
            };
            if value > mask(high + 1 - low) {
                return None;
            }
            word |= u128::from(value) << low;
        }
        Some(word)
    }
}

const fn mask(bits: u8) -> u64 {
    match bits {
        0 => 0,
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    }
}

/// Bits of a token that are a number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits {
    shift: u8,
    mask: u64,
}

impl Bits {
    #[inline]
    pub(super) fn of(self, word: u64) -> u64 {
        word >> self.shift & self.mask
    }

    /// The highest number.
    pub(super) fn mask(self) -> u64 {
        self.mask
    }

    /// All of them, where they are.
    pub(super) fn in_place(self) -> u64 {
        self.mask << self.shift
    }
}

/// A token of which fields can be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenLayout {
    kind: TokenKind,
    places: [Bits; Field::COUNT],
    /// The bits from the first to the last of array, unit, SIMD and slot.
    slot_bits: Bits,
}

impl TokenLayout {
    const NONE: Self = Self {
        kind: TokenKind::Nop,
        places: [Bits { shift: 0, mask: 0 }; Field::COUNT],
        slot_bits: Bits { shift: 0, mask: 0 },
    };

    /// Bits that say which slot a token is of, and maybe others: equal ones mean equal slots.
    pub(super) fn slot_key(&self) -> Bits {
        self.slot_bits
    }

    /// A field of a token; 0 where such tokens lack it.
    #[inline]
    pub(super) fn get(&self, field: Field, word: u64) -> u64 {
        self.bits(field).of(word)
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.most(field) != 0
    }

    /// The most that a field can hold; 0 where such tokens lack it.
    pub(super) fn most(&self, field: Field) -> u64 {
        self.places[field as usize].mask
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.kind
    }

    /// The bits of a field.
    #[inline]
    pub(super) fn bits(&self, field: Field) -> Bits {
        self.places[field as usize]
    }
}
