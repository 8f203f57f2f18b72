//! Values.

/// A type of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ty {
    U32,
    I32,
    U64,
    F32,
    F64,
}

/// A variable of a function: an index into [`Function::vars`].
pub type Slot = usize;

/// Operations on one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Un {
    Neg,
    Not,
    /// The integer operations from here on are for `u32`.
    PopCount,
    /// Leading zeros of `x | 1`.
    LeadingZeros,
    /// Trailing zeros of `x | 0x80000000`.
    TrailingZeros,
    ReverseBits,
    ReverseBytes,
    Abs,
    /// The square root of the absolute value.
    Sqrt,
    Floor,
    Truncate,
}

/// Operations on two values of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Bin {
    Add,
    Sub,
    Mul,
    /// By `b | 1`; of `i32` by `(b & 255) + 1`; of floats by `|b| + 1`.
    Div,
    /// The remainder, like `Div` for integers.
    Rem,
    And,
    Or,
    Xor,
    /// By `b` modulo the width.
    Shl,
    Shr,
    /// The upper half of a 32-bit product.
    MulHigh,
    /// `a < b ? a : b`
    Min,
    Max,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Cmp {
    Less,
    LessEqual,
    Equal,
    NotEqual,
}

/// A value without side effects.
#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// The bits of a constant.
    Const(Ty, u64),
    /// A variable.
    Var(Ty, Slot),
    /// The work-item's number in the grid.
    Global,
    /// The work-item's number in its workgroup.
    Local,
    /// The workgroup's number.
    Group,
    /// The kernel's argument `n`.
    Number,
    /// `in[e & 255]`.
    Load(Box<Expr>),
    /// `array[e & 7]`, in scratch.
    Array(Box<Expr>),
    /// An operation on one value.
    Unary(Un, Ty, Box<Expr>),
    /// An operation on two values.
    Binary(Bin, Ty, Box<Expr>, Box<Expr>),
    /// `fma(a, b, c)`.
    Fma(Ty, Box<[Expr; 3]>),
    /// 1 or 0, as `u32`.
    Compare(Cmp, Ty, Box<Expr>, Box<Expr>),
    /// `c != 0 ? a : b`.
    Select(Ty, Box<[Expr; 3]>),
    /// A value as another type: integers modulo the width, to float by rounding, floats to `i32` after a clamp to
    /// one million; floats go to no other integer.
    Cast(Ty, Box<Expr>),
    /// The bits that are stored of a value, of 64 the halves mixed. A float's zero loses its sign: LLVM 22's
    /// instruction selection makes -0.0 of some differences that are 0.0.
    Bits(Box<Expr>),
}

impl Expr {
    /// The expression's type.
    #[must_use]
    pub fn ty(&self) -> Ty {
        match self {
            Self::Const(ty, _)
            | Self::Var(ty, _)
            | Self::Unary(_, ty, _)
            | Self::Binary(_, ty, ..)
            | Self::Fma(ty, _)
            | Self::Select(ty, _)
            | Self::Cast(ty, _) => *ty,
            _ => Ty::U32,
        }
    }

    /// A `u32` constant.
    #[must_use]
    pub fn u32(value: u32) -> Self {
        Self::Const(Ty::U32, value.into())
    }
}
