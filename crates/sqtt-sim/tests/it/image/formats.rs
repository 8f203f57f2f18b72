//! Formats of texels: `image_load`, `image_store`, `buffer_load_format_*`, `buffer_store_format_*`.

use sqtt_sim::{Image, ImageShape, Numbers, Target, TexelBuffer, TexelFormat};

use super::{Case, TARGETS, float, run, run_all};
use crate::asm::LANES;

/// Every format, in images and in buffers: loaded as its numbers say, and stored as it was.
#[test]
fn formats_are_loaded_and_stored() {
    // No number is the least one, which normalized formats do not give back.
    let bytes: Vec<u32> =
        (0..64u32).map(|k| k.wrapping_mul(0x9e37_79b9) & !0x4000_4000 | 0x0101_0101).collect();
    let inputs = std::array::from_fn(|l| [l as u32, 0, 0, 0]);
    for target in TARGETS {
        let own: Target = target.0.parse().unwrap();
        let zero = if target.1 == 12 { "null" } else { "0" };
        let (mut cases, mut formats) = (Vec::new(), Vec::new());
        for (channels, bits) in [1, 2, 4].into_iter().flat_map(|c| [8, 16, 32].map(|b| (c, b))) {
            use Numbers::{Float, Sint, Snorm, Uint, Unorm};
            for numbers in [Unorm, Snorm, Uint, Sint, Float] {
                let format = TexelFormat { channels, bits, numbers };
                let texels = 256 / format.bytes();
                let buffer = TexelBuffer { address: 0, texels, format }.words(own);
                let extent = [texels, 1, 1];
                let image =
                    Image { address: 0, shape: ImageShape::D1, extent, pitch: 256, format }.words(own);
                assert_eq!(buffer.is_some(), image.is_some());
                assert_eq!(buffer.is_none(), matches!((bits, numbers), (8, Float) | (32, Unorm | Snorm)));
                let (Some(buffer), Some(image)) = (buffer, image) else { continue };
                // In between the first four bytes are gone.
                let clear = "v_mov_b32 v15, 0\n\tglobal_store_b32 v15, v15, s[4:5]";
                let xyzw = &"xyzw"[..usize::from(channels)];
                let part = ["v20", "v[20:21]", "", "v[20:23]"][usize::from(channels) - 1];
                let rest = "v[20:23], v10, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D";
                let at = format!("v10, s[8:11], {zero} idxen");
                let lines = [
                    (image.to_vec(), format!("image_load {rest}\n\t{clear}\n\timage_store {rest}")),
                    (
                        buffer.to_vec(),
                        format!(
                            "buffer_load_format_xyzw v[20:23], {at}\n\t{clear}\n\tbuffer_store_format_{xyzw} {part}, {at}"
                        ),
                    ),
                ];
                for (descriptor, line) in lines {
                    cases.push(Case { descriptor, sampler: [0; 4], line, inputs });
                    formats.push(format);
                }
            }
        }
        let (stored, out) = run_all(target, &bytes, &cases).unwrap();
        assert_eq!(stored, bytes, "{target:?}");
        for ((case, format), out) in cases.iter().zip(formats).zip(out) {
            for (l, got) in out.iter().enumerate() {
                assert_eq!(*got, loaded(&bytes, format, l), "{target:?} {format:?} {} lane {l}", case.line);
            }
        }
    }
}

/// The four words of a texel.
fn loaded(words: &[u32], format: TexelFormat, index: usize) -> [u32; 4] {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let TexelFormat { channels, bits, numbers } = format;
    let (size, is_integer) = (usize::from(bits) / 8, matches!(numbers, Numbers::Uint | Numbers::Sint));
    if (index + 1) * size * usize::from(channels) > bytes.len() {
        // Outside, where a missing fourth channel is one in an image.
        return [0; 4];
    }
    std::array::from_fn(|k| {
        if k >= usize::from(channels) {
            return if k < 3 {
                0
            } else if is_integer {
                1
            } else {
                float(1.0)
            };
        }
        let start = (index * usize::from(channels) + k) * size;
        let raw = bytes[start..start + size].iter().rev().fold(0u32, |raw, &byte| raw << 8 | u32::from(byte));
        let signed = match bits {
            8 => i32::from(raw as u8 as i8),
            16 => i32::from(raw as u16 as i16),
            _ => raw as i32,
        };
        match (numbers, bits) {
            (Numbers::Unorm, 8) => float(raw as f32 / 255.0),
            (Numbers::Unorm, _) => float(raw as f32 / 65535.0),
            (Numbers::Snorm, 8) => float((signed as f32 / 127.0).max(-1.0)),
            (Numbers::Snorm, _) => float((signed as f32 / 32767.0).max(-1.0)),
            (Numbers::Sint, _) => signed as u32,
            // The inputs have no infinities and NaNs.
            (Numbers::Float, 16) => {
                let (exponent, mantissa) = (raw >> 10 & 31, (raw & 1023) as f32);
                let size = if exponent == 0 {
                    mantissa * 2f32.powi(-24)
                } else {
                    (1.0 + mantissa / 1024.0) * 2f32.powi(exponent as i32 - 15)
                };
                float(if raw & 0x8000 != 0 { -size } else { size })
            }
            _ => raw,
        }
    })
}

/// Numbers that a channel cannot hold, and the least one, which normalized formats do not have.
#[test]
fn stores_saturate() {
    let store = "image_store v[10:13], v14, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D";
    let load = "image_load v[20:23], v14, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D";
    let floats = [2.0, -3.0, f32::NAN, 0.5].map(float);
    let integers = [300, -5, -300, 7].map(i32::cast_unsigned);
    let cases = [
        (Numbers::Unorm, floats, 0x8000_00ff, [1.0, 0.0, 0.0, 128.0 / 255.0].map(float)),
        (Numbers::Snorm, floats, 0x4000_817f, [1.0, -1.0, 0.0, 64.0 / 127.0].map(float)),
        (Numbers::Uint, integers, 0x07ff_ffff, [255, 255, 255, 7]),
        (Numbers::Sint, integers, 0x0780_fb7f, [127, -5i32 as u32, -128i32 as u32, 7]),
    ];
    for target in TARGETS {
        for (numbers, values, stored, loaded) in cases {
            let format = TexelFormat { channels: 4, bits: 8, numbers };
            let image = Image { address: 0, shape: ImageShape::D1, extent: [1, 1, 1], pitch: 256, format };
            let words = image.words(target.0.parse().unwrap()).unwrap();
            let ran = run(target, &[0; 64], &words, [0; 4], &format!("{store}\n\t{load}"), &[values; LANES]);
            let (now, out) = ran.unwrap();
            assert_eq!((now[0], out[0]), (stored, loaded), "{target:?} {numbers:?}");
        }
        let format = TexelFormat { channels: 4, bits: 8, numbers: Numbers::Snorm };
        let image = Image { address: 0, shape: ImageShape::D1, extent: [1, 1, 1], pitch: 256, format };
        let words = image.words(target.0.parse().unwrap()).unwrap();
        let (_, out) = run(target, &[0x8081_7f00; 64], &words, [0; 4], load, &[[0; 4]; LANES]).unwrap();
        assert_eq!(out[0], [0.0, 1.0, -1.0, -1.0].map(float), "{target:?}");
    }
}
