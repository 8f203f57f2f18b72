//! Names of matrix instructions → what they multiply.

use crate::small::Small;
use crate::target::Target;

/// The type of a matrix's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    F64,
    F32,
    /// An f32 of which the ten highest bits of the mantissa count.
    Xf32,
    F16,
    Bf16,
    I32,
    /// Integers of 8 or 4 bits; the instruction says if they are signed.
    Int {
        bits: u8,
        signed: bool,
    },
    Small(Small),
}

impl Element {
    pub(crate) fn bits(self) -> usize {
        match self {
            Element::F64 => 64,
            Element::F32 | Element::Xf32 | Element::I32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::Int { bits, .. } => usize::from(bits),
            Element::Small(small) => small.bits() as usize,
        }
    }

    /// True where the product of two elements has no more digits than an f32, whatever the elements are.
    pub(crate) fn has_exact_products(self) -> bool {
        matches!(self, Element::F16 | Element::Small(_))
    }

    fn parse(name: &str, target: Target) -> Option<Element> {
        let fnuz = target == Target::Gfx942;
        Some(match name {
            "f64" => Element::F64,
            "f32" => Element::F32,
            "xf32" => Element::Xf32,
            "f16" => Element::F16,
            "bf16" => Element::Bf16,
            "i32" => Element::I32,
            "i8" => Element::Int { bits: 8, signed: true },
            "iu8" => Element::Int { bits: 8, signed: false },
            "iu4" => Element::Int { bits: 4, signed: false },
            "fp8" => Element::Small(if fnuz { Small::Fp8Fnuz } else { Small::Fp8 }),
            "bf8" => Element::Small(if fnuz { Small::Bf8Fnuz } else { Small::Bf8 }),
            _ => return None,
        })
    }
}

/// The families, which differ in where elements are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// gfx9.
    Mfma,
    /// gfx11 and gfx12.
    Wmma,
}

/// The facts that an instruction's name says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) family: Family,
    /// True if of every four elements of a row of A two are stored, and an index says which.
    pub(crate) sparse: bool,
    /// The first source's formats are in the modifiers (`f8f6f4`).
    pub(crate) open: bool,
    /// Each 32 products have a scale.
    pub(crate) scaled: bool,
    pub(crate) d: Element,
    pub(crate) a: Element,
    pub(crate) b: Element,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Shape {
    pub(crate) fn parse(name: &str, target: Target) -> Option<Shape> {
        const PREFIXES: [(&str, Family, bool, bool); 5] = [
            ("v_mfma_scale_", Family::Mfma, false, true),
            ("v_mfma_", Family::Mfma, false, false),
            ("v_smfmac_", Family::Mfma, true, false),
            ("v_wmma_", Family::Wmma, false, false),
            ("v_swmmac_", Family::Wmma, true, false),
        ];
        let (rest, &(_, family, sparse, scaled)) =
            PREFIXES.iter().find_map(|row| Some((name.strip_prefix(row.0)?, row)))?;
        if (family == Family::Mfma) != (target.generation() == 9) {
            return None;
        }
        let (d, rest) = rest.split_once('_')?;
        let (m, rest) = number(rest)?;
        let (n, rest) = number(rest.strip_prefix('x')?)?;
        let (k, rest) = number(rest.strip_prefix('x')?)?;
        // Older names have no `_` before the type, and no number of blocks, which the destination's width says.
        let rest = rest.trim_start_matches('_').trim_end_matches("_1k");
        let types = match number(rest).and_then(|(_, tail)| tail.strip_prefix("b_")) {
            Some(types) => types,
            None => rest,
        };
        let open = types == "f8f6f4";
        let (a, b) = if open {
            let small = Element::Small(Small::Fp8);
            (small, small)
        } else {
            let (a, b) = types.split_once('_').unwrap_or((types, types));
            (Element::parse(a, target)?, Element::parse(b, target)?)
        };
        let d = Element::parse(d, target)?;
        let fits = match d {
            Element::F64 => a == Element::F64,
            Element::I32 => matches!(a, Element::Int { .. }),
            Element::F16 | Element::Bf16 => a == d && b == d,
            Element::F32 => !matches!(a, Element::F64 | Element::I32 | Element::Int { .. }),
            _ => false,
        };
        fits.then_some(Shape { family, sparse, open, scaled, d, a, b, m, n, k })
    }
}

/// A leading number, and what follows it.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok().filter(|&n| n > 0 && n <= 128)?, &text[end..]))
}

/// The format that `cbsz` or `blgp` of an `f8f6f4` instruction names.
pub(crate) fn format(code: u8) -> Option<Element> {
    Some(Element::Small(match code {
        0 => Small::Fp8,
        1 => Small::Bf8,
        2 => Small::Fp6,
        3 => Small::Bf6,
        4 => Small::Fp4,
        _ => return None,
    }))
}
