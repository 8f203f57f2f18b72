//! The syntax tree of a generated kernel.
//!
//! Every program that the generator makes is free of undefined behaviour under the printed semantics: shifts are
//! masked, signed arithmetic goes through unsigned, divisors are not zero, indices are masked or taken modulo.

mod expr;

pub use expr::{Bin, Cmp, Expr, Slot, Ty, Un};

/// The way in which a marker gets its name.
#[derive(Clone, PartialEq, Debug)]
pub enum Name {
    /// A string literal.
    Literal(String),
    /// A literal with so many bytes of something else before it: `"…name" + 3`.
    Offset(String, String),
    /// A member of a local struct.
    Member(String),
    /// `c ? "a" : "b"`.
    Choice(Expr, String, String),
    /// A `const char *` that is assigned to under a condition: the second where it holds.
    Variable(Expr, String, String),
    /// A constant number, printed in the type of that index.
    Number(u32, u8),
    /// `0x10000 + (e & 255)`.
    Computed(Expr),
}

impl Name {
    /// The expressions that are evaluated for it.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        match self {
            Self::Literal(_) | Self::Offset(..) | Self::Member(_) | Self::Number(..) => None,
            Self::Choice(value, ..) | Self::Variable(value, ..) | Self::Computed(value) => Some(value),
        }
        .into_iter()
    }
}

/// The way to a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// The header's function.
    Direct,
    /// A function that takes the name.
    Wrapper,
    /// A function that takes it and hands it on.
    TwoWrappers,
}

/// A marker that is an event.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// A point.
    Point(Name, Via),
    /// A point with a payload: a value, and the type that it is handed over in.
    Data(Name, Payload, Via),
    /// A scope around an arithmetic step in a function that takes the name: `dst = wrapped(name, value)`.
    Wrapped(Name, Slot, Expr),
    /// The builtin, with a word whose id no name has: `0x20000 + (e & 255)`, shifted.
    Builtin(Expr),
}

/// The value of a data marker.
#[derive(Clone, PartialEq, Debug)]
pub struct Payload {
    /// Before it becomes what `form` says.
    pub value: Expr,
    /// Its type in the marker's call.
    pub form: Form,
}

impl Payload {
    /// A value as what it is.
    #[must_use]
    pub fn own(value: Expr) -> Self {
        Self { value, form: Form::Own }
    }
}

/// The type of a data marker's value. What is recorded is one word, or two, the low one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The value's own. Of floats that are zero without the sign, which LLVM 22 does not always keep.
    Own,
    /// `short`, of `u32`: as `int`.
    I16,
    /// `unsigned short`, of `u32`.
    U16,
    /// `_Float16`, whose bits are the lower ones of an `u32` with one bit of the exponent cleared: as `float`.
    F16,
    /// `__bf16`, likewise.
    BF16,
    /// `long long`, of `u64`.
    I64,
    /// A pointer of that address, of `u64`.
    Pointer,
}

impl Form {
    /// The bits of a half that is finite.
    pub const F16_MASK: u32 = 0xFBFF;
    /// The bits of a `__bf16` that is finite.
    pub const BF16_MASK: u32 = 0xFF7F;
}

/// The effect of asm on M0, of which there is one for all lanes.
#[derive(Clone, PartialEq, Debug)]
pub enum M0 {
    /// Set to the value of the first active lane.
    Set(Expr),
    /// Adds that much.
    Advance(Expr),
    /// Read into a variable.
    Get(Slot),
}

/// The spelling of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeStyle {
    /// `{ sqtt_scope g(name); … }`
    Guard,
    /// `sqtt_marker_enter(name); … sqtt_marker_exit(name);`
    Pair,
    /// A function that takes the name and a lambda.
    Lambda,
}

/// The spelling of a loop; the counter runs 0, 1, 2, … in the first and the last, 1, 2, 3, … in the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum LoopShape {
    For,
    While,
    DoWhile,
}

/// The target of a [`Stmt::Leave`].
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Exit {
    Break,
    Continue,
    Return(Option<Expr>),
}

/// Atomics whose order does not matter. Each has its own words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum AtomicOp {
    Add,
    Max,
    Or,
    Xor,
    Min,
}

impl AtomicOp {
    /// Every one, in the order of their words in the accumulator buffer.
    pub const ALL: [Self; 5] = [Self::Add, Self::Max, Self::Or, Self::Xor, Self::Min];
}

/// A list of statements.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// A variable gets a value.
    Assign(Slot, Expr),
    /// `array[e & 7] = value`.
    ArraySet(Expr, Expr),
    /// A word of the work-item's own output.
    Store(usize, Expr),
    /// An atomic on `acc[op * 8 + (index & 7)]`.
    Atomic(AtomicOp, Expr, Expr),
    /// `if (c) … else …`.
    If(Expr, Block, Block),
    /// `switch (e)`; the last block is the default.
    Switch(Expr, Vec<(Vec<u32>, Block)>, Block),
    /// A loop of `bound` iterations, at least one of a do-while.
    Loop {
        /// Its spelling.
        shape: LoopShape,
        /// The counter.
        counter: Slot,
        /// Evaluated once, before.
        bound: Expr,
        /// The iterations.
        body: Block,
    },
    /// `if (c) { …; break; }` and its like.
    Leave(Exit, Expr, Block),
    /// `dst = f(…)`.
    Call(Slot, usize, Vec<Expr>),
    /// Through LDS: each work-item puts a value down and takes that of the one `shift` further on.
    Exchange {
        /// The slot that it goes to.
        dst: Slot,
        /// The value that is put down.
        value: Expr,
        /// The distance.
        shift: usize,
        /// Names of points right before and right behind the first barrier.
        points: [Option<String>; 2],
    },
    /// An atomic sum in LDS over the workgroup, by `index & 7`; each work-item takes the one of its own index.
    Reduce(Slot, Expr, Expr),
    /// A scope.
    Scope(ScopeStyle, Name, Block),
    /// Scopes one after the other, each left where the next is entered.
    Chain(Vec<(String, Block)>),
    /// An event.
    Mark(Mark),
    /// Asm on M0. What is set is read in the same block, and what stands between sets nothing else.
    M0(M0),
}

/// The size of a function, as far as the marking of functions can rely on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Below every threshold that the tests use.
    Small,
    /// Neither.
    Between,
    /// Above every threshold that the tests use.
    Large,
}

/// The wish of a function to the inliner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Inlining {
    Free,
    Never,
    Always,
}

/// A device function, or the kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name in the source; no two functions' names contain one another.
    pub name: String,
    /// Its first so many variables are parameters.
    pub params: usize,
    /// The types of its variables.
    pub vars: Vec<Ty>,
    /// The counters among them, which their loops declare.
    pub counters: Vec<Slot>,
    /// True where it has the array in scratch.
    pub array: bool,
    /// Its code.
    pub body: Block,
    /// The value that it returns; `None` for the kernel.
    pub value: Option<Expr>,
    /// Its size.
    pub size: Size,
    /// Its wish to the inliner.
    pub inlining: Inlining,
    /// True if it has asm on M0, in itself or in what it calls.
    pub uses_m0: bool,
}

/// A kernel with its functions and its launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The seed it was made from.
    pub seed: u64,
    /// Device functions; a function calls itself or those before it.
    pub functions: Vec<Function>,
    /// The kernel.
    pub main: Function,
    /// Words of output per work-item.
    pub columns: usize,
    /// Workgroups.
    pub grid: u32,
    /// Work-items of a workgroup.
    pub block: u32,
    /// The argument `n`.
    pub n: u32,
    /// The input buffer, [`INPUT_WORDS`] of them.
    pub input: Vec<u32>,
    /// True where `in` is declared `__restrict__`.
    pub restrict: bool,
    /// True if its functions and lambdas are the host's, too.
    pub host: bool,
    /// True if every load from `in` has one address for all lanes, and nothing is stored before the last of them.
    pub uniform: bool,
}

/// Words of the input buffer.
pub const INPUT_WORDS: usize = 256;
/// Words of the scratch array.
pub const ARRAY_WORDS: usize = 8;
/// Words of the accumulator buffer.
pub const ACC_WORDS: usize = AtomicOp::ALL.len() * 8;

/// The contents of the accumulator buffer before the kernel runs.
#[must_use]
pub fn initial_acc() -> Vec<u32> {
    let word = |k: usize| if k / 8 == 4 { u32::MAX } else { 0 };
    (0..ACC_WORDS).map(word).collect()
}
