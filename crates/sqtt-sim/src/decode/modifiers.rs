//! The modifiers after the last operand.

use crate::inst::{Control, Dpp, Inst, Sdwa, Sel, Unused, Wrap, flag};

/// Modifiers that become part of a wrapper.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) dpp: Option<Dpp>,
    pub(crate) sdwa: Option<Sdwa>,
    /// `op_sel` as printed, one entry per source and one for the destination.
    pub(crate) op_sel: Vec<u8>,
    pub(crate) has_op_sel_hi: bool,
    pub(crate) byte_sel: bool,
}

fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn list(text: &str) -> Option<Vec<u8>> {
    text.strip_prefix('[')?.strip_suffix(']')?.split(',').map(|p| p.trim().parse().ok()).collect()
}

fn bits(list: &[u8]) -> u8 {
    list.iter().enumerate().fold(0, |m, (k, &b)| m | (b & 1) << (k & 7))
}

fn sel(text: &str) -> Option<Sel> {
    Some(match text {
        "BYTE_0" => Sel::Byte(0),
        "BYTE_1" => Sel::Byte(1),
        "BYTE_2" => Sel::Byte(2),
        "BYTE_3" => Sel::Byte(3),
        "WORD_0" => Sel::Word(0),
        "WORD_1" => Sel::Word(1),
        "DWORD" => Sel::Dword,
        _ => return None,
    })
}

/// Applies one modifier; `None` if it is not understood.
pub(crate) fn apply(inst: &mut Inst, extra: &mut Extra, text: &str) -> Option<()> {
    if let Some((key, value)) = text.split_once(':') {
        return keyed(inst, extra, key, value);
    }
    match text {
        "clamp" => inst.clamp = true,
        "offen" => inst.flags |= flag::OFFEN,
        "idxen" => inst.flags |= flag::IDXEN,
        "glc" | "sc0" => inst.flags |= flag::RETURN,
        "lds" => inst.flags |= flag::LDS,
        "gds" => inst.flags |= flag::GDS,
        "tfe" => inst.flags |= flag::TFE,
        "unorm" => inst.flags |= flag::UNORM,
        // Cache policy: the simulated memory is coherent.
        "slc" | "dlc" | "sc1" | "nt" | "scc" | "nv" | "off" | "row_en" => {}
        "row_mirror" => control(extra, Control::RowMirror),
        "row_half_mirror" => control(extra, Control::RowHalfMirror),
        _ => return None,
    }
    Some(())
}

fn dpp(extra: &mut Extra) -> &mut Dpp {
    extra.dpp.get_or_insert(Dpp {
        control: Control::RowShl(0),
        row_mask: 0xf,
        bank_mask: 0xf,
        bound_zero: false,
        fetch_inactive: false,
    })
}

fn control(extra: &mut Extra, control: Control) {
    dpp(extra).control = control;
}

fn sdwa(extra: &mut Extra) -> &mut Sdwa {
    extra.sdwa.get_or_insert(Sdwa { src: [Sel::Dword; 2], dst: Sel::Dword, unused: Unused::Pad })
}

fn keyed(inst: &mut Inst, extra: &mut Extra, key: &str, value: &str) -> Option<()> {
    match key {
        "offset" => inst.imm = offset(value)?,
        "offset0" => inst.imm = number(value)?,
        "offset1" => inst.imm1 = number(value)?,
        "mul" => inst.omod = if value == "2" { 1 } else { 2 },
        "div" => inst.omod = 3,
        "op_sel" => {
            extra.op_sel = list(value)?;
            inst.op_sel = bits(&extra.op_sel);
        }
        "op_sel_hi" => {
            extra.has_op_sel_hi = true;
            inst.op_sel_hi = bits(&list(value)?);
        }
        "neg" | "neg_lo" => inst.neg_lo = bits(&list(value)?),
        "neg_hi" => inst.neg_hi = bits(&list(value)?),
        "cbsz" | "abid" | "blgp" | "index_key" => {
            let value =
                number(value).filter(|v| (0..8).contains(v) || key == "abid" && (8..16).contains(v))?;
            inst.imm |= value << crate::ops::matrix::modifier(key)?;
        }
        "dmask" | "dim" => {
            let Some(Wrap::Image(plan)) = inst.wrap.as_deref_mut() else { return None };
            match key {
                "dmask" => plan.mask = number(value)? as u8,
                _ => plan.shape = Some(crate::ops::image::shape(value)?),
            }
        }
        "bitop3" => inst.imm = number(value).filter(|table| (0..256).contains(table))?,
        // Temporal hints: only the returning atomics change what happens.
        "th" if value.contains("ATOMIC_RETURN")
            || value == "TH_ATOMIC_RT_RETURN"
            || value == "TH_ATOMIC_NT_RETURN" =>
        {
            inst.flags |= flag::RETURN;
        }
        "th" | "scope" => {}
        "byte_sel" => {
            extra.byte_sel = true;
            inst.imm = number(value).filter(|byte| (0..4).contains(byte))?;
        }
        "dst_sel" => sdwa(extra).dst = sel(value)?,
        "src0_sel" => sdwa(extra).src[0] = sel(value)?,
        "src1_sel" => sdwa(extra).src[1] = sel(value)?,
        "dst_unused" => {
            sdwa(extra).unused = match value {
                "UNUSED_PAD" => Unused::Pad,
                "UNUSED_SEXT" => Unused::Sext,
                "UNUSED_PRESERVE" => Unused::Preserve,
                _ => return None,
            };
        }
        "row_mask" => dpp(extra).row_mask = number(value)? as u8,
        "bank_mask" => dpp(extra).bank_mask = number(value)? as u8,
        "bound_ctrl" => dpp(extra).bound_zero = true,
        "fi" => dpp(extra).fetch_inactive = value == "1",
        "quad_perm" => control(extra, Control::QuadPerm(list(value)?.try_into().ok()?)),
        "dpp8" => control(extra, Control::Dpp8(list(value)?.try_into().ok()?)),
        _ => {
            let n = u8::try_from(number(value)?).ok().filter(|&n| n < 32)?;
            control(
                extra,
                match (key, n) {
                    ("row_shl", _) => Control::RowShl(n),
                    ("row_shr", _) => Control::RowShr(n),
                    ("row_ror", _) => Control::RowRor(n),
                    ("row_share", _) => Control::RowShare(n),
                    ("row_newbcast", _) => Control::RowNewBcast(n),
                    ("row_xmask", _) => Control::RowXmask(n),
                    ("row_bcast", 15) => Control::RowBcast15,
                    ("row_bcast", 31) => Control::RowBcast31,
                    ("wave_shl", 1) => Control::WaveShl,
                    ("wave_rol", 1) => Control::WaveRol,
                    ("wave_shr", 1) => Control::WaveShr,
                    ("wave_ror", 1) => Control::WaveRor,
                    _ => return None,
                },
            );
        }
    }
    Some(())
}

/// `offset:16`, or the symbolic offsets of `ds_swizzle_b32`.
fn offset(text: &str) -> Option<i64> {
    let Some(inner) = text.strip_prefix("swizzle(").and_then(|t| t.strip_suffix(')')) else {
        return number(text);
    };
    let mut parts = inner.split(',').map(str::trim);
    let mode = parts.next()?;
    let rest: Vec<&str> = parts.collect();
    let first = || rest.first().and_then(|p| number(p));
    let mask = |and: i64, or: i64, xor: i64| and | or << 5 | xor << 10;
    match mode {
        "QUAD_PERM" => {
            let lanes: Option<Vec<i64>> = rest.iter().map(|p| number(p)).collect();
            Some(lanes?.iter().enumerate().fold(0x8000, |m, (k, l)| m | (l & 3) << (2 * (k & 3))))
        }
        "BITMASK_PERM" => {
            // Each letter of "01pi": force 0, force 1, preserve, invert; most significant bit first.
            let text = rest.first()?.trim_matches('"');
            let (mut and, mut or, mut xor) = (0, 0, 0);
            for (k, c) in text.chars().rev().enumerate().take(5) {
                match c {
                    '0' => {}
                    '1' => or |= 1 << k,
                    'p' => and |= 1 << k,
                    'i' => {
                        and |= 1 << k;
                        xor |= 1 << k;
                    }
                    _ => return None,
                }
            }
            Some(mask(and, or, xor))
        }
        "BROADCAST" => {
            let lane = rest.get(1).and_then(|p| number(p))?;
            Some(mask(0x1f & !(first()? - 1), lane, 0))
        }
        "SWAP" => Some(mask(0x1f, 0, first()?)),
        "REVERSE" => Some(mask(0x1f, 0, first()? - 1)),
        "ROTATE" => {
            let by = rest.get(1).and_then(|p| number(p))?;
            Some(0xc000 | (first()? & 1) << 10 | by << 5)
        }
        _ => None,
    }
}
