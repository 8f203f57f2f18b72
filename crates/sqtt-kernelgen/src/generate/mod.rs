//! From a seed to a kernel.
//!
//! The generator keeps to rules, so that the expectation is exact:
//! - Barriers stand in control flow that is uniform in the workgroup.
//! - Markers on the way out of a block (`if (c) { marker; return; }`) stand only where the order of what follows is
//!   known: see [`stmt`].
//! - Between the exit of a scope and the next enter of a named one stands nothing, and they are one record, or a
//!   marker, and they are two: see [`separate`].

mod expr;
mod function;
mod m0;
mod main_function;
mod marker;
mod separate;
mod stmt;

pub(crate) use separate::inner_blocks;

use crate::ast::{Function, INPUT_WORDS, Kernel, Slot, Ty};
use crate::rng::Rng;

/// Features that kernels may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Markers, and with them functions that are clearly small or large.
    pub markers: bool,
    /// `float` and `double`.
    pub floats: bool,
    /// 64-bit integers.
    pub wide: bool,
    /// LDS and barriers.
    pub lds: bool,
    /// Device functions.
    pub functions: bool,
    /// Atomics on global memory.
    pub atomics: bool,
    /// Asm on M0.
    pub m0: bool,
    /// Functions and lambdas for host and device.
    pub host: bool,
    /// Loads from one address for all lanes only, where control flow is uniform, and nothing stored before them: see
    /// [`crate::loads`].
    pub uniform: bool,
}

impl Features {
    /// Everything, with markers or without.
    #[must_use]
    pub fn all(markers: bool) -> Self {
        Self {
            markers,
            floats: true,
            wide: true,
            lds: true,
            functions: true,
            atomics: true,
            m0: markers,
            host: markers,
            uniform: markers,
        }
    }
}

/// Makes the kernel of a seed.
#[must_use]
pub fn generate(seed: u64, features: Features) -> Kernel {
    let mut rng = Rng::new(seed);
    // Most kernels leave something out, so that what is left comes in numbers.
    let mut features = features;
    features.floats &= rng.percent(60);
    features.wide &= rng.percent(50);
    features.lds &= rng.percent(60);
    features.functions &= rng.percent(75);
    features.atomics &= rng.percent(60);
    features.uniform &= rng.percent(15);
    features.m0 &= rng.percent(25);
    features.host &= rng.percent(25);
    if features.uniform {
        (features.lds, features.atomics) = (false, false);
    }
    let mut functions = Vec::new();
    if features.functions {
        if features.m0 {
            functions = m0::functions(&mut rng, features);
        }
        let first = functions.len();
        for k in first..first + rng.within(1, 4) {
            let function = function::function(&mut rng, features, &functions, k);
            functions.push(function);
        }
    }
    let block = rng.pick(&[32, 64, 64, 96, 100, 128, 128, 192]);
    let grid = rng.pick(&[1, 2, 3, 4, 5, 9]);
    let n = rng.below(64) as u32;
    let input = (0..INPUT_WORDS).map(|_| input_word(&mut rng)).collect();
    let restrict = rng.percent(50);
    let (main, columns) = main_function::main_function(&mut rng, features, &functions);
    let Features { host, uniform, .. } = features;
    let mut kernel =
        Kernel { seed, functions, main, columns, grid, block, n, input, restrict, host, uniform };
    separate::separate(&mut kernel);
    kernel
}

/// Small numbers, patterns and noise.
fn input_word(rng: &mut Rng) -> u32 {
    match rng.below(6) {
        0 => rng.below(16) as u32,
        1 => rng.pick(&[0, 1, u32::MAX, 0x8000_0000, 0x7FFF_FFFF, 0x00FF_00FF]),
        _ => rng.bits() as u32,
    }
}

/// Makes one function's code.
struct Maker<'a> {
    rng: &'a mut Rng,
    features: Features,
    /// Functions that may be called.
    callees: &'a [Function],
    vars: Vec<Ty>,
    counters: Vec<Slot>,
    /// Variables that have a value here.
    readable: Vec<Slot>,
    /// Counters in scope, whose value all active lanes agree on.
    uniform: Vec<Slot>,
    /// Variables that may be assigned to.
    assignable: Vec<Slot>,
    /// True for the kernel.
    main: bool,
    /// True where `in` and `n` are there.
    input: bool,
    array: bool,
    columns: usize,
    /// Statements that may still be made.
    budget: usize,
    /// The depth to which loops may be nested.
    loops: usize,
}

impl<'a> Maker<'a> {
    fn new(rng: &'a mut Rng, features: Features, callees: &'a [Function]) -> Self {
        Self {
            rng,
            features,
            callees,
            vars: Vec::new(),
            counters: Vec::new(),
            readable: Vec::new(),
            uniform: Vec::new(),
            assignable: Vec::new(),
            main: false,
            input: true,
            array: false,
            columns: 0,
            budget: 0,
            loops: 0,
        }
    }

    fn new_var(&mut self, ty: Ty) -> Slot {
        self.vars.push(ty);
        self.vars.len() - 1
    }

    /// A local variable that may be read and assigned to.
    fn local(&mut self, ty: Ty) -> Slot {
        let slot = self.new_var(ty);
        self.readable.push(slot);
        self.assignable.push(slot);
        slot
    }

    /// The types that variables may have.
    fn types(&self) -> Vec<Ty> {
        let mut types = vec![Ty::U32, Ty::U32, Ty::I32];
        if self.features.floats {
            types.extend([Ty::F32, Ty::F64]);
        }
        if self.features.wide {
            types.push(Ty::U64);
        }
        types
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Bin, Expr, Stmt};

    /// Conditions of ways out, those of recursions apart, which stop.
    fn ways_out(stmts: &mut Vec<Stmt>, found: &mut Vec<Expr>) {
        for stmt in stmts {
            if let Stmt::Leave(_, condition, _) = stmt {
                found.push(condition.clone());
            }
            for block in separate::inner_blocks(stmt) {
                ways_out(block, found);
            }
        }
    }

    #[test]
    fn with_markers_ways_out_depend_on_bits_of_the_input() {
        let mut found = Vec::new();
        for seed in 0..2000 {
            let mut kernel = generate(seed, Features::all(true));
            let functions =
                kernel.functions.iter_mut().filter(|function| !function.name.starts_with("again"));
            for function in functions.chain(std::iter::once(&mut kernel.main)) {
                ways_out(&mut function.body, &mut found);
            }
        }
        assert!(found.len() > 1000, "{}", found.len());
        for condition in found {
            let Expr::Binary(Bin::And, _, word, _) = &condition else { panic!("{condition:?}") };
            assert!(matches!(**word, Expr::Load(_)), "{condition:?}");
        }
    }
}
