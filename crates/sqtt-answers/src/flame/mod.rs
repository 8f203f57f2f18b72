//! Flame graphs: exclusive time by stack of scopes.
//!
//! A stack begins with the kernel, or with the unit that [`FlameOptions::per`] names and then the kernel;
//! its other frames are the scopes that were open. What is counted at a frame is *exclusive*: the time
//! without the scopes inside, so that the frames below it and its own time add up to the frame. A kernel's
//! own time is what its waves spent outside of all scopes, from launch to end; of waves whose launch or end
//! is not in the trace only the scopes are known, and count.
//!
//! Points have no duration and do not appear. A scope that was open when its wave ended counts up to there,
//! one that was open at the end of the trace or when packets were lost up to where it was last known to be
//! open. Where packets were lost in a wave, its time outside of known scopes is a frame of its own.
//!
//! A file says itself what the trace lost: it goes to people who never see what the command said.
//!
//! Every folder is a time domain of its own: its times are taken first, and what they add up to is put
//! together afterwards.

mod collect;
mod folded;
mod speedscope;
mod svg;
mod tree;

use sqtt_decoder::trace::Trace;
use sqtt_decoder::{Filter, Ledger};

use crate::names::NameStyle;
pub use folded::write_folded;
pub use speedscope::write_speedscope;
pub use svg::{SvgOptions, write_svg};

use tree::Tree;

/// Frame above the kernel in a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlameUnit {
    /// Nothing.
    #[default]
    Kernel,
    /// The CU or WGP.
    Cu,
    /// The SIMD.
    Simd,
    /// The wave, with its folder: waves of two folders are two.
    Wave,
}

/// Unit of the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// Cycles of the shader clock.
    #[default]
    Cycles,
    /// Nanoseconds.
    Time,
}

impl Weight {
    /// `cycles` or `ns`.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Weight::Cycles => "cycles",
            Weight::Time => "ns",
        }
    }
}

/// Choices for collecting stacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlameOptions {
    /// Frame above the kernel.
    pub per: FlameUnit,
    /// Unit of the weights.
    pub weight: Weight,
    /// The rate of the shader clock in GHz; where none is given that of `realtime.json` counts.
    pub clock_ghz: Option<f64>,
    /// Style of names.
    pub names: NameStyle,
}

/// Why there is no flame graph.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlameError {
    /// Time was asked for and no rate is known.
    #[error(
        "{folder}: the rate of the shader clock is not known: the folder has no realtime.json with two \
         samples; give the rate with --clock-rate-ghz, or count cycles"
    )]
    NoClockRate {
        /// The trace folder.
        folder: String,
    },
    /// Weights that no trace can have.
    #[error("the weights add up to more than 2^62 {unit}: the times of this trace cannot be right")]
    TooLarge {
        /// Unit of the weights.
        unit: &'static str,
    },
    /// The writer's.
    #[error("cannot write")]
    Io(#[from] std::io::Error),
}

/// Stacks and their exclusive time, of one trace or, after [`Flames::against`], of two.
#[derive(Clone, Debug)]
pub struct Flames {
    options: FlameOptions,
    tree: Tree,
    /// Waves that were looked at.
    waves: u64,
    folders: Vec<String>,
    /// Losses of them, and of the trace that they are compared with.
    losses: Ledger,
    is_difference: bool,
}

impl Flames {
    /// Scopes deeper than this are put together as one frame.
    pub const DEPTH_LIMIT: usize = 250;
    /// Once there are so many different stacks, new ones are put together as one frame each.
    pub const STACK_LIMIT: usize = 1 << 20;

    /// Nothing yet.
    #[must_use]
    pub fn new(options: FlameOptions) -> Self {
        Self {
            options,
            tree: Tree::default(),
            waves: 0,
            folders: Vec::new(),
            losses: Ledger::new(),
            is_difference: false,
        }
    }

    /// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of these
    /// waves.
    ///
    /// # Errors
    ///
    /// [`FlameError::NoClockRate`].
    pub fn add_folder(&mut self, folder: &Trace, filter: &Filter) -> Result<Ledger, FlameError> {
        collect::add(self, folder, filter)
    }

    /// Takes what was lost outside of folders: code objects, folders that could not be looked into. What is
    /// written says it.
    pub fn note(&mut self, losses: &Ledger) {
        self.losses.merge(losses);
    }

    /// Unit of the weights: `cycles` or `ns`.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        self.options.weight.unit()
    }

    /// Number of waves that were looked at.
    #[must_use]
    pub const fn waves(&self) -> u64 {
        self.waves
    }

    /// Number of scopes put together with others, because they were too deep or too many.
    #[must_use]
    pub const fn lumped(&self) -> u64 {
        self.tree.lumped()
    }

    /// Turns the stacks around, from the innermost scope outwards: who spent the time, and from where. The unit
    /// above the kernel stays where it is.
    #[must_use]
    pub fn reversed(self) -> Self {
        let kept = usize::from(self.options.per != FlameUnit::Kernel);
        Self { tree: self.tree.reversed(kept), ..self }
    }

    /// The difference to another trace: every stack has the weight that it has here and that it had there.
    #[must_use]
    pub fn against(mut self, base: &Flames) -> Self {
        self.tree.add_base(&base.tree);
        self.losses.merge(&base.losses);
        self.is_difference = true;
        self
    }

    /// All weights together. Of a difference, those of the newer trace.
    ///
    /// # Errors
    ///
    /// [`FlameError::TooLarge`].
    pub fn total(&self) -> Result<u64, FlameError> {
        Ok(self.stacks()?.iter().map(|stack| stack.weight).sum())
    }

    /// Stacks that weigh something, in the order of the graph.
    fn stacks(&self) -> Result<Vec<Stack>, FlameError> {
        let scale = match self.options.weight {
            Weight::Cycles => 1,
            Weight::Time => FEMTOSECONDS,
        };
        let (mut total, mut base_total) = (0_u64, 0_u64);
        let mut stacks = Vec::new();
        for (node, [base, weight]) in self.tree.in_order() {
            let scaled =
                |weight: u128| u64::try_from(weight.saturating_add(scale / 2) / scale).unwrap_or(u64::MAX);
            let stack = Stack { node, weight: scaled(weight), base: scaled(base) };
            total = total.saturating_add(stack.weight);
            base_total = base_total.saturating_add(stack.base);
            if stack.weight > 0 || stack.base > 0 {
                stacks.push(stack);
            }
        }
        if total.max(base_total) >= 1 << 62 {
            return Err(FlameError::TooLarge { unit: self.unit() });
        }
        Ok(stacks)
    }
}

/// Femtoseconds of a nanosecond. Durations are kept in these, so that sums are exact in whatever order.
const FEMTOSECONDS: u128 = 1_000_000;

/// A stack that weighs something.
struct Stack {
    node: u32,
    weight: u64,
    /// Its weight in the trace that it is compared with.
    base: u64,
}
