//! Texels: bytes in memory ↔ the four words of an instruction.

use crate::fp::{from16, to16};
use crate::image::{Numbers, TexelFormat};

fn greatest(bits: u8, signed: bool) -> u64 {
    (1u64 << (bits - u8::from(signed))) - 1
}

/// A channel's word.
fn word(format: TexelFormat, raw: u32) -> u32 {
    let above = 32 - u32::from(format.bits);
    let signed = (raw << above).cast_signed() >> above;
    match format.numbers {
        Numbers::Unorm => (raw as f32 / greatest(format.bits, false) as f32).to_bits(),
        Numbers::Snorm => (signed as f32 / greatest(format.bits, true) as f32).max(-1.0).to_bits(),
        Numbers::Sint => signed.cast_unsigned(),
        Numbers::Float if format.bits == 16 => (from16(raw) as f32).to_bits(),
        Numbers::Uint | Numbers::Float => raw,
    }
}

/// Channels in memory; those that the format lacks are zero.
pub(super) fn unpack(format: TexelFormat, bytes: &[u8; 16]) -> [u32; 4] {
    let size = usize::from(format.bits / 8);
    std::array::from_fn(|k| {
        if k >= usize::from(format.channels) {
            return 0;
        }
        let mut raw = [0; 4];
        raw[..size].copy_from_slice(&bytes[k * size..][..size]);
        word(format, u32::from_le_bytes(raw))
    })
}

/// The result of an instruction: 0, 1 or a channel for each of the four words.
pub(super) fn select(format: TexelFormat, selects: u32, channels: [u32; 4]) -> [u32; 4] {
    let one = if matches!(format.numbers, Numbers::Uint | Numbers::Sint) { 1 } else { 1f32.to_bits() };
    std::array::from_fn(|k| match selects >> (3 * k) & 7 {
        channel @ 4..=7 => channels[channel as usize - 4],
        1 => one,
        _ => 0,
    })
}

/// Bytes of a texel: numbers that a channel cannot hold become its nearest.
pub(super) fn pack(format: TexelFormat, words: [u32; 4]) -> [u8; 16] {
    let size = usize::from(format.bits / 8);
    let (unsigned, signed) = (greatest(format.bits, false), greatest(format.bits, true) as i64);
    let mut bytes = [0; 16];
    for (k, &word) in words.iter().enumerate().take(usize::from(format.channels)) {
        let float = f64::from(f32::from_bits(word));
        let scaled = |least: f64, most: f64| (float.clamp(least, 1.0) * most).round_ties_even() as i64;
        let raw = match format.numbers {
            Numbers::Unorm => scaled(0.0, unsigned as f64) as u32,
            Numbers::Snorm => scaled(-1.0, signed as f64) as u32,
            Numbers::Uint => u64::from(word).min(unsigned) as u32,
            Numbers::Sint => i64::from(word.cast_signed()).clamp(-signed - 1, signed) as u32,
            Numbers::Float if format.bits == 16 => to16(float, false),
            Numbers::Float => word,
        };
        bytes[k * size..][..size].copy_from_slice(&raw.to_le_bytes()[..size]);
    }
    bytes
}
