//! One operand's text → [`Src`].

use crate::inst::{Kind, Konst, Src, sreg};

/// First row of the accumulation registers of gfx90a and gfx942.
pub(crate) const AGPR0: u16 = 256;

/// Reads an operand; `None` if its text is not understood.
pub(crate) fn parse(text: &str, gfx9: bool) -> Option<Src> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('-').filter(|r| !r.starts_with(|c: char| c.is_ascii_digit())) {
        return Some(Src { neg: true, ..parse(inner, gfx9)? });
    }
    if let Some(inner) = text.strip_prefix('|').and_then(|r| r.strip_suffix('|')) {
        return Some(Src { abs: true, ..parse(inner, gfx9)? });
    }
    for (name, set) in [("neg(", 0), ("abs(", 1), ("sext(", 2)] {
        if let Some(inner) = text.strip_prefix(name).and_then(|r| r.strip_suffix(')')) {
            let mut src = parse(inner, gfx9)?;
            match set {
                0 => src.neg = true,
                1 => src.abs = true,
                _ => src.sext = true,
            }
            return Some(src);
        }
    }
    register(text, gfx9).or_else(|| constant(text))
}

fn register(text: &str, gfx9: bool) -> Option<Src> {
    if let Some(src) = named(text, gfx9) {
        return Some(src);
    }
    let (text, half, hi) = match (text.strip_suffix(".l"), text.strip_suffix(".h")) {
        (Some(t), _) => (t, true, false),
        (_, Some(t)) => (t, true, true),
        _ => (text, false, false),
    };
    let (class, rest) = if let Some(rest) = text.strip_prefix("ttmp") {
        ('t', rest)
    } else {
        (text.chars().next()?, text.get(1..)?)
    };
    let (first, n) = if let Some(range) = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        let (a, b) = range.split_once(':').unwrap_or((range, range));
        let (a, b): (u16, u16) = (a.parse().ok()?, b.parse().ok()?);
        (a, u8::try_from(b.checked_sub(a)? + 1).ok()?)
    } else {
        (rest.parse().ok()?, 1)
    };
    let last = first.checked_add(u16::from(n))?;
    let (kind, reg, limit) = match class {
        'v' => (Kind::V, first, 256),
        'a' => (Kind::V, first.checked_add(AGPR0)?, 256),
        's' => (Kind::S, first, 106),
        't' => (Kind::S, first.checked_add(sreg::TTMP0)?, 16),
        _ => return None,
    };
    (last <= limit).then(|| Src { half, hi, ..Src::new(kind, reg, n) })
}

fn named(text: &str, gfx9: bool) -> Option<Src> {
    let s = |reg, n| Some(Src::new(Kind::S, reg, n));
    match text {
        "vcc" => s(sreg::VCC, 2),
        "vcc_lo" => s(sreg::VCC, 1),
        "vcc_hi" => s(sreg::VCC + 1, 1),
        "exec" => s(sreg::EXEC, 2),
        "exec_lo" => s(sreg::EXEC, 1),
        "exec_hi" => s(sreg::EXEC + 1, 1),
        "m0" => s(sreg::M0, 1),
        "null" => s(sreg::NULL, 1),
        "flat_scratch" => s(sreg::FLAT_SCRATCH, 2),
        "flat_scratch_lo" => s(sreg::FLAT_SCRATCH, 1),
        "flat_scratch_hi" => s(sreg::FLAT_SCRATCH + 1, 1),
        "xnack_mask" => s(sreg::XNACK, 2),
        "xnack_mask_lo" => s(sreg::XNACK, 1),
        "xnack_mask_hi" => s(sreg::XNACK + 1, 1),
        "src_shared_base" => s(sreg::SHARED_BASE, 2),
        "src_shared_limit" => s(sreg::SHARED_LIMIT, 2),
        "src_private_base" => s(sreg::PRIVATE_BASE, 2),
        "src_private_limit" => s(sreg::PRIVATE_LIMIT, 2),
        "src_flat_scratch_base_lo" if !gfx9 => s(sreg::FLAT_SCRATCH, 2),
        "src_flat_scratch_base_hi" if !gfx9 => s(sreg::FLAT_SCRATCH + 1, 1),
        "src_scc" | "scc" => Some(Src::new(Kind::Scc, 0, 1)),
        "src_vccz" | "vccz" => Some(Src::new(Kind::Vccz, 0, 1)),
        "src_execz" | "execz" => Some(Src::new(Kind::Execz, 0, 1)),
        "off" => Some(Src::NONE),
        _ => None,
    }
}

/// A constant. Decimal integers are inline constants, hexadecimal ones literals: they differ as f64.
pub(crate) fn constant(text: &str) -> Option<Src> {
    let k = |k| Some(Src { k, ..Src::new(Kind::K, 0, 1) });
    let literal =
        text.strip_prefix("lit(").or_else(|| text.strip_prefix("lit64(")).and_then(|t| t.strip_suffix(')'));
    let body = literal.unwrap_or(text);
    if let Some(hex) = body.strip_prefix("0x") {
        let v = u64::from_str_radix(hex, 16).ok()?;
        let f64 = if v >> 32 == 0 { v << 32 } else { v };
        return k(Konst { b32: v as u32, b16: v as u32 & 0xffff, i64: v, f64 });
    }
    if let Ok(v) = body.parse::<i64>() {
        let bits = v.cast_unsigned();
        return k(Konst { b32: bits as u32, b16: bits as u32 & 0xffff, i64: bits, f64: bits });
    }
    let v: f64 = body.parse().ok()?;
    if body.starts_with("0.159154") {
        // 1/(2π), the one inline constant that rounds differently in each format.
        let f64 = 0x3fc4_5f30_6dc9_c882;
        return k(Konst { b32: 0x3e22_f983, b16: 0x3118, i64: f64, f64 });
    }
    let f64 = v.to_bits();
    k(Konst { b32: (v as f32).to_bits(), b16: crate::fp::to16(v, false), i64: f64, f64 })
}

/// `hwreg(NAME, offset, size)` → id, offset, size; ids from LLVM's register table.
pub(crate) fn hwreg(text: &str, generation: u8) -> Option<(u32, u32, u32)> {
    let inner = text.strip_prefix("hwreg(")?.strip_suffix(')')?;
    let mut parts = inner.split(',').map(str::trim);
    let name = parts.next()?;
    let offset = parts.next().map_or(Some(0), |p| p.parse().ok())?;
    let size = parts.next().map_or(Some(32), |p| p.parse().ok())?;
    let short = name.strip_prefix("HW_REG_").unwrap_or(name);
    let id = match short.strip_prefix("WAVE_").unwrap_or(short) {
        "MODE" => 1,
        "STATUS" => 2,
        "TRAPSTS" => 3,
        "HW_ID" if generation == 9 => 4,
        "GPR_ALLOC" => 5,
        "LDS_ALLOC" => 6,
        "IB_STS" => 7,
        "FLAT_SCR_LO" => 20,
        "FLAT_SCR_HI" => 21,
        "XCC_ID" => 20,
        "HW_ID1" => 23,
        "HW_ID2" => 24,
        "SHADER_CYCLES" | "SHADER_CYCLES_LO" => 29,
        "SHADER_CYCLES_HI" => 30,
        other => other.parse().ok()?,
    };
    (offset < 32 && size > 0 && offset + size <= 32).then_some((id, offset, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_and_modifiers() {
        let v = parse("-|v[3:4]|", false).unwrap();
        assert_eq!((v.kind, v.reg, v.n, v.neg, v.abs), (Kind::V, 3, 2, true, true));
        let h = parse("v7.h", false).unwrap();
        assert_eq!((h.reg, h.half, h.hi), (7, true, true));
        assert_eq!(parse("ttmp9", false).unwrap().reg, sreg::TTMP0 + 9);
        assert_eq!(parse("a5", true).unwrap().reg, AGPR0 + 5);
        assert!(parse("sext(v1)", true).unwrap().sext);
        for bad in ["v256", "s106", "v[4:3]", "q1", "v", "", "v[", "ttmp16", "attr0.x", "lit(0x1", "ü"] {
            assert!(parse(bad, false).is_none(), "{bad}");
        }
    }

    #[test]
    fn constants_by_context() {
        let k = |t| parse(t, false).unwrap().k;
        assert_eq!(k("-1"), Konst { b32: !0, b16: 0xffff, i64: !0, f64: !0 });
        assert_eq!(k("0x40490fdb").f64, 0x4049_0fdb_0000_0000);
        assert_eq!(k("lit(0xffffffff)").i64, 0xffff_ffff);
        assert_eq!(k("-4.0"), Konst { b32: 0xc080_0000, b16: 0xc400, i64: 0xc010 << 48, f64: 0xc010 << 48 });
        assert_eq!(k("0.15915494").b32, 0x3e22_f983);
    }

    #[test]
    fn hardware_registers() {
        assert_eq!(hwreg("hwreg(HW_REG_HW_ID1, 8, 2)", 11), Some((23, 8, 2)));
        assert_eq!(hwreg("hwreg(HW_REG_MODE)", 11), Some((1, 0, 32)));
        assert_eq!(hwreg("hwreg(HW_REG_MODE, 30, 4)", 11), None);
    }
}
