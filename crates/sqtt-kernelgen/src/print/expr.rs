//! Expressions as text.

use crate::ast::{Bin, Cmp, Expr, Ty, Un};

impl Ty {
    /// The type's name in the source.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Ty::U32 => "u32",
            Ty::I32 => "i32",
            Ty::U64 => "u64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }
}

/// The text of a value; `block` is the number of work-items in a workgroup.
pub(super) fn expr(e: &Expr, block: u32) -> String {
    let text = |e: &Expr| expr(e, block);
    match e {
        Expr::Const(ty, bits) => constant(*ty, *bits),
        Expr::Var(_, slot) => format!("v{slot}"),
        Expr::Global => format!("(group_id * {block}u + item_id)"),
        Expr::Local => "item_id".to_owned(),
        Expr::Group => "group_id".to_owned(),
        Expr::Number => "n".to_owned(),
        Expr::Load(index) => format!("in[{} & 255u]", text(index)),
        Expr::Array(index) => format!("array[{} & 7u]", text(index)),
        Expr::Unary(op, ty, a) => unary(*op, *ty, &text(a)),
        Expr::Binary(op, ty, a, b) => binary(*op, *ty, &text(a), &text(b)),
        Expr::Fma(ty, parts) => {
            let [a, b, c] = &**parts;
            let suffix = if *ty == Ty::F32 { "f" } else { "" };
            format!("__builtin_fma{suffix}({}, {}, {})", text(a), text(b), text(c))
        }
        Expr::Compare(op, _, a, b) => {
            let op = match op {
                Cmp::Less => "<",
                Cmp::LessEqual => "<=",
                Cmp::Equal => "==",
                Cmp::NotEqual => "!=",
            };
            format!("(u32)({} {op} {})", text(a), text(b))
        }
        Expr::Select(_, parts) => {
            let [c, a, b] = &**parts;
            format!("({} != 0u ? {} : {})", text(c), text(a), text(b))
        }
        Expr::Cast(Ty::I32, a) if a.ty().is_float() => format!("to_int({}, {})", a.ty().text(), text(a)),
        Expr::Cast(ty, a) => format!("({})({})", ty.text(), text(a)),
        Expr::Bits(a) => match a.ty() {
            Ty::F64 => format!("fold(bits_of(u64, f64, {}))", text(a)),
            Ty::F32 => format!("bits_of(u32, f32, {})", text(a)),
            Ty::U64 => format!("fold({})", text(a)),
            _ => format!("__builtin_bit_cast(u32, {})", text(a)),
        },
    }
}

fn constant(ty: Ty, bits: u64) -> String {
    match ty {
        Ty::U32 => format!("{bits}u"),
        Ty::I32 => match bits as u32 as i32 {
            i32::MIN => "(-2147483647 - 1)".to_owned(),
            value => format!("({value})"),
        },
        Ty::U64 => format!("{bits}ull"),
        Ty::F32 => format!("({:?}f)", f32::from_bits(bits as u32)),
        Ty::F64 => format!("({:?})", f64::from_bits(bits)),
    }
}

fn unary(op: Un, ty: Ty, a: &str) -> String {
    let suffix = if ty == Ty::F32 { "f" } else { "" };
    match op {
        Un::Neg if ty == Ty::I32 => format!("(i32)(0u - (u32){a})"),
        Un::Neg => format!("(-{a})"),
        Un::Not => format!("(~{a})"),
        Un::PopCount => format!("(u32)__builtin_popcount({a})"),
        Un::LeadingZeros => format!("(u32)__builtin_clz({a} | 1u)"),
        Un::TrailingZeros => format!("(u32)__builtin_ctz({a} | 0x80000000u)"),
        Un::ReverseBits => format!("__builtin_bitreverse32({a})"),
        Un::ReverseBytes => format!("__builtin_bswap32({a})"),
        Un::Abs => format!("__builtin_fabs{suffix}({a})"),
        Un::Sqrt => format!("__builtin_sqrt{suffix}(__builtin_fabs{suffix}({a}))"),
        Un::Floor => format!("__builtin_floor{suffix}({a})"),
        Un::Truncate => format!("__builtin_trunc{suffix}({a})"),
    }
}

fn binary(op: Bin, ty: Ty, a: &str, b: &str) -> String {
    let suffix = if ty == Ty::F32 { "f" } else { "" };
    match (op, ty) {
        (Bin::Min, _) => return format!("lesser({}, {a}, {b})", ty.text()),
        (Bin::Max, _) => return format!("greater({}, {a}, {b})", ty.text()),
        (Bin::MulHigh, Ty::I32) => return format!("(i32)((i64){a} * {b} >> 32)"),
        (Bin::MulHigh, _) => return format!("(u32)((u64){a} * {b} >> 32)"),
        (Bin::Add, Ty::I32) => return format!("(i32)((u32){a} + (u32){b})"),
        (Bin::Sub, Ty::I32) => return format!("(i32)((u32){a} - (u32){b})"),
        (Bin::Mul, Ty::I32) => return format!("(i32)((u32){a} * (u32){b})"),
        (Bin::Shl, Ty::I32) => return format!("(i32)((u32){a} << ((u32){b} & 31u))"),
        (Bin::Shr, Ty::I32) => return format!("({a} >> ((u32){b} & 31u))"),
        (Bin::Div, Ty::I32) => return format!("({a} / (({b} & 255) + 1))"),
        (Bin::Rem, Ty::I32) => return format!("({a} % (({b} & 255) + 1))"),
        (Bin::Div, Ty::F32 | Ty::F64) => {
            return format!("({a} / (__builtin_fabs{suffix}({b}) + 1.0{suffix}))");
        }
        _ => {}
    }
    let one = if ty == Ty::U64 { "1ull" } else { "1u" };
    match op {
        Bin::Div => format!("({a} / ({b} | {one}))"),
        Bin::Rem => format!("({a} % ({b} | {one}))"),
        Bin::Shl => format!("({a} << ({b} & {}))", if ty == Ty::U64 { 63 } else { 31 }),
        Bin::Shr => format!("({a} >> ({b} & {}))", if ty == Ty::U64 { 63 } else { 31 }),
        _ => {
            let sign = match op {
                Bin::Sub => "-",
                Bin::Mul => "*",
                Bin::And => "&",
                Bin::Or => "|",
                Bin::Xor => "^",
                _ => "+",
            };
            format!("({a} {sign} {b})")
        }
    }
}
