//! Values: one lane's result of an expression, as bits.

use super::frame::{Frame, Place, lanes};
use crate::ast::{Bin, Cmp, Expr, INPUT_WORDS, Ty, Un};

/// The range that floats are clamped to before they become integers.
const INT_RANGE: f64 = 1_000_000.0;

/// An expression's value in one lane.
pub(super) fn eval(e: &Expr, place: &Place<'_>, frame: &Frame, lane: usize) -> u64 {
    let value = |e: &Expr| eval(e, place, frame, lane);
    match e {
        Expr::Const(_, bits) => *bits,
        Expr::Var(_, slot) => frame.vars[*slot][lane],
        Expr::Global => u64::from(place.group * place.kernel.block + place.first + lane as u32),
        Expr::Local => u64::from(place.first + lane as u32),
        Expr::Group => place.group.into(),
        Expr::Number => place.kernel.n.into(),
        Expr::Load(index) => place.kernel.input[value(index) as usize % INPUT_WORDS].into(),
        Expr::Array(index) => frame.array[value(index) as usize & 7][lane].into(),
        Expr::Unary(op, ty, a) => unary(*op, *ty, value(a)),
        Expr::Binary(op, ty, a, b) => binary(*op, *ty, value(a), value(b)),
        Expr::Fma(Ty::F32, parts) => {
            let [a, b, c] = parts.each_ref().map(|e| f32_of(value(e)));
            of_f32(a.mul_add(b, c))
        }
        Expr::Fma(_, parts) => {
            let [a, b, c] = parts.each_ref().map(|e| f64::from_bits(value(e)));
            a.mul_add(b, c).to_bits()
        }
        Expr::Compare(op, ty, a, b) => compare(*op, *ty, value(a), value(b)).into(),
        Expr::Select(_, parts) => {
            let [c, a, b] = &**parts;
            if value(c) != 0 { value(a) } else { value(b) }
        }
        Expr::Cast(ty, a) => cast(a.ty(), *ty, value(a)),
        Expr::Bits(a) => match a.ty() {
            Ty::F32 if f32_of(value(a)) == 0.0 => 0,
            Ty::F64 if f64::from_bits(value(a)) == 0.0 => 0,
            Ty::U64 | Ty::F64 => u64::from((value(a) ^ value(a) >> 32) as u32),
            _ => value(a),
        },
    }
}

/// The number of loads from memory that a wave does to evaluate an expression in the lanes of `mask`: a choice
/// evaluates each arm that a lane takes.
pub(super) fn loads(e: &Expr, place: &Place<'_>, frame: &Frame, mask: u64) -> usize {
    if mask == 0 {
        return 0;
    }
    let of = |e: &Expr| loads(e, place, frame, mask);
    match e {
        Expr::Const(..) | Expr::Var(..) | Expr::Global | Expr::Local | Expr::Group | Expr::Number => 0,
        Expr::Load(index) => 1 + of(index),
        Expr::Array(a) | Expr::Unary(_, _, a) | Expr::Cast(_, a) | Expr::Bits(a) => of(a),
        Expr::Binary(_, _, a, b) | Expr::Compare(_, _, a, b) => of(a) + of(b),
        Expr::Fma(_, parts) => parts.iter().map(of).sum(),
        Expr::Select(_, parts) => {
            let [c, a, b] = &**parts;
            let taken = lanes(mask)
                .filter(|lane| eval(c, place, frame, *lane) != 0)
                .fold(0, |taken, lane| taken | 1 << lane);
            of(c) + loads(a, place, frame, taken) + loads(b, place, frame, mask & !taken)
        }
    }
}

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn of_f32(value: f32) -> u64 {
    value.to_bits().into()
}

fn of_i32(value: i32) -> u64 {
    u64::from(value as u32)
}

fn unary(op: Un, ty: Ty, a: u64) -> u64 {
    let word = a as u32;
    match (op, ty) {
        (Un::Neg, Ty::F32) => of_f32(-f32_of(a)),
        (Un::Neg, Ty::F64) => (-f64::from_bits(a)).to_bits(),
        (Un::Neg, Ty::U64) => a.wrapping_neg(),
        (Un::Neg, _) => word.wrapping_neg().into(),
        (Un::Not, Ty::U64) => !a,
        (Un::Not, _) => u64::from(!word),
        (Un::PopCount, _) => word.count_ones().into(),
        (Un::LeadingZeros, _) => (word | 1).leading_zeros().into(),
        (Un::TrailingZeros, _) => (word | 0x8000_0000).trailing_zeros().into(),
        (Un::ReverseBits, _) => word.reverse_bits().into(),
        (Un::ReverseBytes, _) => word.swap_bytes().into(),
        (_, Ty::F64) => float_unary(op, f64::from_bits(a), f64::sqrt).to_bits(),
        (_, _) => of_f32(float_unary(op, f32_of(a).into(), |x| f64::from((x as f32).sqrt())) as f32),
    }
}

/// Computes in `f64`, which is exact for all results of an `f32` but the root; the root is given.
fn float_unary(op: Un, a: f64, sqrt: fn(f64) -> f64) -> f64 {
    match op {
        Un::Sqrt => sqrt(a.abs()),
        Un::Floor => a.floor(),
        Un::Truncate => a.trunc(),
        _ => a.abs(),
    }
}

fn binary(op: Bin, ty: Ty, a: u64, b: u64) -> u64 {
    match ty {
        Ty::U32 => u32_binary(op, a as u32, b as u32).into(),
        Ty::I32 => of_i32(i32_binary(op, a as u32 as i32, b as u32 as i32)),
        Ty::U64 => u64_binary(op, a, b),
        Ty::F32 => {
            let (a, b) = (f32_of(a), f32_of(b));
            of_f32(match op {
                Bin::Add => a + b,
                Bin::Sub => a - b,
                Bin::Mul => a * b,
                Bin::Div => a / (b.abs() + 1.0),
                Bin::Min => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                _ => {
                    if a < b {
                        b
                    } else {
                        a
                    }
                }
            })
        }
        Ty::F64 => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let value = match op {
                Bin::Add => a + b,
                Bin::Sub => a - b,
                Bin::Mul => a * b,
                Bin::Div => a / (b.abs() + 1.0),
                Bin::Min => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                _ => {
                    if a < b {
                        b
                    } else {
                        a
                    }
                }
            };
            value.to_bits()
        }
    }
}

fn u32_binary(op: Bin, a: u32, b: u32) -> u32 {
    match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::Div => a / (b | 1),
        Bin::Rem => a % (b | 1),
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a << (b & 31),
        Bin::Shr => a >> (b & 31),
        Bin::MulHigh => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        Bin::Min => a.min(b),
        Bin::Max => a.max(b),
    }
}

fn i32_binary(op: Bin, a: i32, b: i32) -> i32 {
    match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul => a.wrapping_mul(b),
        Bin::Div => a / ((b & 255) + 1),
        Bin::Rem => a % ((b & 255) + 1),
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a << (b & 31),
        Bin::Shr => a >> (b & 31),
        Bin::MulHigh => ((i64::from(a) * i64::from(b)) >> 32) as i32,
        Bin::Min => a.min(b),
        Bin::Max => a.max(b),
    }
}

fn u64_binary(op: Bin, a: u64, b: u64) -> u64 {
    match op {
        Bin::Add => a.wrapping_add(b),
        Bin::Sub => a.wrapping_sub(b),
        Bin::Mul | Bin::MulHigh => a.wrapping_mul(b),
        Bin::Div => a / (b | 1),
        Bin::Rem => a % (b | 1),
        Bin::And => a & b,
        Bin::Or => a | b,
        Bin::Xor => a ^ b,
        Bin::Shl => a << (b & 63),
        Bin::Shr => a >> (b & 63),
        Bin::Min => a.min(b),
        Bin::Max => a.max(b),
    }
}

fn compare(op: Cmp, ty: Ty, a: u64, b: u64) -> bool {
    let order = match ty {
        Ty::U32 | Ty::U64 => Some(a.cmp(&b)),
        Ty::I32 => Some((a as u32 as i32).cmp(&(b as u32 as i32))),
        Ty::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Ty::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
    };
    match op {
        Cmp::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Cmp::LessEqual => order.is_some_and(std::cmp::Ordering::is_le),
        Cmp::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
        Cmp::NotEqual => !order.is_some_and(std::cmp::Ordering::is_eq),
    }
}

fn cast(from: Ty, to: Ty, a: u64) -> u64 {
    match (from, to) {
        (Ty::F32, Ty::F32) | (Ty::F64, Ty::F64) => a,
        (Ty::F32, Ty::F64) => f64::from(f32_of(a)).to_bits(),
        (Ty::F64, Ty::F32) => of_f32(f64::from_bits(a) as f32),
        // The cast in Rust saturates; the clamp comes first and is the printed one.
        (Ty::F32, _) => of_i32(f64::from(f32_of(a)).clamp(-INT_RANGE, INT_RANGE) as i32),
        (Ty::F64, _) => of_i32(f64::from_bits(a).clamp(-INT_RANGE, INT_RANGE) as i32),
        (Ty::I32, Ty::F32) => of_f32(a as u32 as i32 as f32),
        (Ty::I32, Ty::F64) => f64::from(a as u32 as i32).to_bits(),
        (_, Ty::F32) => of_f32(a as f32),
        (_, Ty::F64) => (a as f64).to_bits(),
        // A signed value is extended with its sign.
        (Ty::I32, Ty::U64) => i64::from(a as u32 as i32) as u64,
        (_, Ty::U64) => a,
        (_, _) => u64::from(a as u32),
    }
}
