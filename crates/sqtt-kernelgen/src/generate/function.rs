//! Device functions.

use super::m0::uses_m0;
use super::stmt::Spot;
use super::{Features, Maker};
use crate::ast::{
    Bin, Cmp, Exit, Expr, Function, Inlining, Mark, Name, Payload, ScopeStyle, Size, Slot, Stmt, Ty, Via,
};
use crate::rng::Rng;

/// Mixing steps of a function that is clearly large.
const LARGE_STEPS: usize = 48;

/// Makes the function of that index.
pub(super) fn function(rng: &mut Rng, features: Features, before: &[Function], index: usize) -> Function {
    let kind = rng.below(10);
    let mut maker = Maker::new(rng, features, before);
    let mut function = match kind {
        0..=2 => small(&mut maker, index),
        3..=4 => large(&mut maker, index),
        5 => recursive(&mut maker, index),
        _ => between(&mut maker, index),
    };
    function.uses_m0 = uses_m0(&function, before);
    function
}

fn var(slot: Slot) -> Expr {
    Expr::Var(Ty::U32, slot)
}

fn binary(op: Bin, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Ty::U32, Box::new(a), Box::new(b))
}

fn finish(
    maker: &Maker<'_>,
    name: String,
    params: usize,
    body: Vec<Stmt>,
    value: Expr,
    size: Size,
) -> Function {
    Function {
        name,
        params,
        vars: maker.vars.clone(),
        counters: maker.counters.clone(),
        array: maker.array,
        body,
        value: Some(value),
        size,
        inlining: Inlining::Free,
        uses_m0: false,
    }
}

fn params(maker: &mut Maker<'_>, types: &[Ty]) {
    for ty in types {
        let slot = maker.new_var(*ty);
        maker.readable.push(slot);
    }
}

fn linkage(rng: &mut Rng) -> &'static str {
    if rng.percent(20) { "ext" } else { "" }
}

/// A few instructions, whatever the optimization level.
fn small(maker: &mut Maker<'_>, index: usize) -> Function {
    params(maker, &[Ty::U32, Ty::U32]);
    let op = maker.rng.pick(&[Bin::Add, Bin::Xor, Bin::Mul, Bin::Sub]);
    let mut body = Vec::new();
    if maker.features.markers && maker.rng.percent(60) {
        let name = Name::Literal(maker.text());
        body.push(match maker.rng.below(3) {
            0 => Stmt::Mark(Mark::Point(name, Via::Direct)),
            1 => Stmt::Mark(Mark::Data(name, Payload::own(var(0)), Via::Direct)),
            _ => Stmt::Scope(ScopeStyle::Pair, name, Vec::new()),
        });
    }
    let value = binary(op, var(0), var(1));
    let name = format!("small_{index:02}_{}", linkage(maker.rng));
    let mut function = finish(maker, name, 2, body, value, Size::Small);
    function.inlining = maker.rng.pick(&[Inlining::Free, Inlining::Free, Inlining::Never, Inlining::Always]);
    function
}

/// So many steps that cannot be folded that it is above any threshold, inlined or not.
fn large(maker: &mut Maker<'_>, index: usize) -> Function {
    params(maker, &[Ty::U32, Ty::U32]);
    let (a, b) = (maker.local(Ty::U32), maker.local(Ty::U32));
    let mut body = vec![
        Stmt::Assign(a, binary(Bin::Xor, var(0), Expr::Global)),
        Stmt::Assign(b, binary(Bin::Add, var(1), Expr::Local)),
    ];
    if maker.features.markers && !maker.features.uniform && maker.rng.percent(40) {
        // Were the way out always taken, and LLVM could tell, nothing would be left behind it.
        let c = maker.unknown_condition(false);
        let (name, taken) = (Name::Literal(maker.text()), maker.event());
        let leave = Stmt::Leave(Exit::Return(Some(var(1))), c, vec![Stmt::Mark(taken)]);
        if maker.rng.percent(50) {
            body.push(Stmt::Scope(ScopeStyle::Guard, name, vec![leave]));
        } else {
            body.push(leave);
        }
    }
    for step in 0..LARGE_STEPS {
        let (to, from) = if step % 2 == 0 { (a, b) } else { (b, a) };
        let shifted = binary(Bin::Shr, var(to), Expr::u32(maker.rng.within(1, 31) as u32));
        let factor = Expr::u32(maker.rng.bits() as u32 | 1);
        let mixed = binary(Bin::Mul, binary(Bin::Xor, var(to), shifted), factor);
        body.push(Stmt::Assign(to, binary(Bin::Add, mixed, var(from))));
        if maker.features.markers && maker.rng.percent(3) {
            body.push(Stmt::Mark(maker.event()));
        }
    }
    let value = binary(Bin::Xor, var(a), var(b));
    if maker.features.markers {
        // Where nobody looks at the result, the steps would go.
        let name = Name::Literal("mixed".to_owned());
        body.push(Stmt::Mark(Mark::Data(name, Payload::own(value.clone()), Via::Direct)));
    }
    let name = format!("large_{index:02}_{}", linkage(maker.rng));
    let mut function = finish(maker, name, 2, body, value, Size::Large);
    function.inlining = maker.rng.pick(&[Inlining::Free, Inlining::Free, Inlining::Never, Inlining::Always]);
    function
}

/// The use of the result of the call of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is returned: LLVM makes a loop of it.
    Tail,
    /// It is added to: LLVM makes a loop of that too.
    Sum,
    /// It is not looked at before a marker: that keeps it a call.
    Marker,
}

/// Calls itself as often as its first argument says.
///
/// LLVM may make a loop of it: then the path of the last call leaves the loop, and lanes of different depths go down
/// that path together: no markers there.
fn recursive(maker: &mut Maker<'_>, index: usize) -> Function {
    params(maker, &[Ty::U32, Ty::U32]);
    let x = maker.local(Ty::U32);
    let used = if maker.features.markers {
        maker.rng.pick(&[Use::Tail, Use::Sum, Use::Marker, Use::Marker])
    } else {
        maker.rng.pick(&[Use::Tail, Use::Sum])
    };
    let mut body = vec![Stmt::Assign(x, binary(Bin::Mul, var(1), Expr::u32(0x9E37_79B1)))];
    if maker.features.markers && maker.rng.percent(50) {
        body.push(Stmt::Mark(maker.event()));
    }
    let done = Expr::Compare(Cmp::Equal, Ty::U32, Box::new(var(0)), Box::new(Expr::u32(0)));
    let marked = used == Use::Marker && maker.rng.percent(60);
    let arm = if marked { vec![Stmt::Mark(maker.event())] } else { Vec::new() };
    body.push(Stmt::Leave(Exit::Return(Some(binary(Bin::Xor, var(x), Expr::Local))), done, arm));
    body.push(maker.assign());
    let deeper = vec![binary(Bin::Sub, var(0), Expr::u32(1)), binary(Bin::Add, var(x), var(0))];
    let result = maker.local(Ty::U32);
    body.push(Stmt::Call(result, index, deeper));
    let value = match used {
        Use::Tail => var(result),
        Use::Sum => binary(Bin::Add, var(result), var(x)),
        Use::Marker => {
            body.push(Stmt::Mark(maker.event()));
            if maker.rng.percent(50) {
                body.push(maker.assign());
            }
            binary(Bin::Xor, binary(Bin::Shr, var(result), Expr::u32(3)), var(x))
        }
    };
    finish(maker, format!("again_{index:02}_"), 2, body, value, Size::Between)
}

/// Anything.
fn between(maker: &mut Maker<'_>, index: usize) -> Function {
    let types = maker.types();
    let mut taken = vec![Ty::U32, Ty::U32];
    for _ in 0..maker.rng.below(3) {
        taken.push(maker.rng.pick(&types));
    }
    params(maker, &taken);
    maker.array = maker.rng.percent(15) && !maker.features.m0;
    maker.budget = maker.rng.within(3, 12);
    maker.loops = 1;
    let mut body = Vec::new();
    for ty in [Ty::U32, Ty::U32, maker.rng.pick(&types)] {
        let value = maker.expr(ty, 2);
        let slot = maker.local(ty);
        body.push(Stmt::Assign(slot, value));
    }
    body.extend(maker.block(Spot::TOP, 6));
    let value = maker.expr(Ty::U32, 2);
    let name = format!("between_{index:02}_{}", linkage(maker.rng));
    let mut function = finish(maker, name, taken.len(), body, value, Size::Between);
    function.inlining = maker.rng.pick(&[Inlining::Free, Inlining::Free, Inlining::Never, Inlining::Always]);
    function
}
