//! Instructions that the simulator does not execute.

/// Why an instruction is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nothing is known of the mnemonic.
    Mnemonic,
    /// An operand has no meaning here.
    Operand,
    /// A modifier has no meaning here.
    Modifier,
    /// The modifier is one of other instructions.
    ModifierHere,
    /// Mnemonic, operands and modifiers are known, but not together.
    Form,
}

impl Refusal {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Mnemonic => "no semantics for this mnemonic",
            Self::Operand => "an operand is not understood",
            Self::Modifier => "a modifier is not understood",
            Self::ModifierHere => "this instruction does not take one of its modifiers",
            Self::Form => "this form is not supported",
        }
    }
}
