//! One marker and its plain 32-bit word (specification, "Marker Encoding").
//!
//! ```text
//!   31                    2     1       0
//!  +------------------------+-------+-------+
//!  |       id (30 bits)     | enter | exit  |
//!  +------------------------+-------+-------+
//! ```

/// One marker: an id and what it does to the scope stack of its wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Marker {
    /// The id by which the funcmap names it. 0 is reserved: nothing is named 0.
    pub id: u32,
    /// Pushes scope `id`.
    pub enter: bool,
    /// Pops the scope on top of the stack, before anything is pushed.
    pub exit: bool,
}

/// The action of a marker, as the specification's table of semantic rules has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Reserved: id 0 with anything but a bare exit.
    Noop,
    /// Pushes a scope.
    Enter,
    /// Pops the top scope.
    Exit,
    /// Pops the top scope and pushes another: a fused exit and enter.
    ExitEnter,
    /// An event that leaves the stack alone.
    Point,
}

impl Marker {
    /// Bit 0 of a word: pop the top scope.
    pub const EXIT_FLAG: u32 = 1;
    /// Bit 1 of a word: push scope `id`.
    pub const ENTER_FLAG: u32 = 2;
    /// The largest id that a word without a shader clock has room for: 30 bits.
    pub const MAX_ID: u32 = (1 << 30) - 1;
    /// The bare exit, word `0x1`: what every exit is written as, whatever it closes.
    pub const EXIT: Marker = Marker { id: 0, enter: false, exit: true };

    /// Opens scope `id`.
    #[must_use]
    pub const fn enter(id: u32) -> Self {
        Self { id, enter: true, exit: false }
    }

    /// Closes the top scope and opens scope `id`.
    #[must_use]
    pub const fn exit_enter(id: u32) -> Self {
        Self { id, enter: true, exit: true }
    }

    /// An event named `id`.
    #[must_use]
    pub const fn point(id: u32) -> Self {
        Self { id, enter: false, exit: false }
    }

    /// Reads a word that carries no shader clock.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        Self { id: word >> 2, enter: word & Self::ENTER_FLAG != 0, exit: word & Self::EXIT_FLAG != 0 }
    }

    /// The word without a shader clock, or `None` where the id needs more than 30 bits.
    #[must_use]
    pub const fn to_word(self) -> Option<u32> {
        if self.id > Self::MAX_ID { None } else { Some(self.id << 2 | self.flags()) }
    }

    /// The operand of `s_ttracedata_imm`, or `None` where the word needs more than the 8 bits that
    /// the hardware records of it. Ids up to 63 fit.
    #[must_use]
    pub const fn immediate(self) -> Option<u8> {
        match self.to_word() {
            Some(word) if word <= 0xFF => Some(word as u8),
            _ => None,
        }
    }

    /// The two low bits of the word.
    #[must_use]
    pub const fn flags(self) -> u32 {
        ((self.enter as u32) * Self::ENTER_FLAG) | ((self.exit as u32) * Self::EXIT_FLAG)
    }

    /// The action of the marker. With id 0 only the bare exit does anything.
    #[must_use]
    pub const fn action(self) -> Action {
        match (self.id, self.enter, self.exit) {
            (0, false, true) => Action::Exit,
            (0, _, _) => Action::Noop,
            (_, true, false) => Action::Enter,
            (_, false, true) => Action::Exit,
            (_, true, true) => Action::ExitEnter,
            (_, false, false) => Action::Point,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_formula_of_the_specification() {
        assert_eq!(Marker::enter(5).to_word(), Some(5 << 2 | 2));
        assert_eq!(Marker::exit_enter(5).to_word(), Some(5 << 2 | 3));
        assert_eq!(Marker::point(5).to_word(), Some(5 << 2));
        assert_eq!(Marker::EXIT.to_word(), Some(1));
        for word in [0, 1, 2, 3, 6, 11, 12, 42, 0xFF, 0x100, u32::MAX] {
            assert_eq!(Marker::from_word(word).to_word(), Some(word));
        }
    }

    #[test]
    fn an_id_of_31_bits_has_no_word() {
        assert_eq!(Marker::enter(Marker::MAX_ID).to_word(), Some(u32::MAX - 1));
        assert_eq!(Marker::enter(Marker::MAX_ID + 1).to_word(), None);
        assert_eq!(Marker::enter(u32::MAX).immediate(), None);
    }

    #[test]
    fn ids_up_to_63_fit_the_immediate_form() {
        assert_eq!(Marker::exit_enter(63).immediate(), Some(0xFF));
        assert_eq!(Marker::point(64).immediate(), None);
        assert_eq!(Marker::EXIT.immediate(), Some(1));
    }

    #[test]
    fn semantic_rules() {
        assert_eq!(Marker::from_word(0).action(), Action::Noop);
        assert_eq!(Marker::from_word(1).action(), Action::Exit);
        assert_eq!(Marker::from_word(2).action(), Action::Noop);
        assert_eq!(Marker::from_word(3).action(), Action::Noop);
        assert_eq!(Marker::from_word(4).action(), Action::Point);
        assert_eq!(Marker::from_word(5).action(), Action::Exit);
        assert_eq!(Marker::from_word(6).action(), Action::Enter);
        assert_eq!(Marker::from_word(7).action(), Action::ExitEnter);
    }
}
