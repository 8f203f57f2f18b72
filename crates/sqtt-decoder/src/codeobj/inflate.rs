//! The streams of compressed bundles, unpacked.

use std::io::{self, Read};

use md5::{Digest as _, Md5};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Bytes unpacked before the next look at the limit.
const STEP: u64 = 1 << 16;
/// Window size that every zstd stream may have.
const LEAST_WINDOW: u64 = 8 << 20;

/// The first 8 bytes of the MD5 of what is unpacked.
pub(super) fn hash(unpacked: &[u8]) -> [u8; 8] {
    std::array::from_fn({
        let digest = Md5::digest(unpacked);
        move |index| digest[index]
    })
}

/// Appends the stream's contents, cut one byte behind the announced size; says how much of it was read.
pub(super) fn decompress(
    method: u16,
    unpacked: u64,
    stream: &[u8],
    out: &mut Vec<u8>,
) -> (Result<(), String>, usize) {
    let most = unpacked.saturating_add(1);
    if method == 0 {
        let mut decoder = flate2::bufread::ZlibDecoder::new(stream);
        let result = read_all(&mut decoder, most, out).map_err(|error| error.to_string());
        return (result, decoder.total_in() as usize);
    }
    // The window is reserved before the first byte is there; one much larger than the contents is of no use.
    let window = unpacked.saturating_mul(2).max(LEAST_WINDOW);
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(window);
    let mut rest = stream;
    let mut any = false;
    let result = loop {
        if let Some(skipped) = skippable(rest) {
            match skipped {
                Some(size) => rest = &rest[size..],
                None => break Err("a frame to be skipped ends behind the end of the data".to_owned()),
            }
        } else if any && !rest.starts_with(&ZSTD_MAGIC) || out.len() as u64 >= most {
            break Ok(());
        } else {
            any = true;
            let result = StreamingDecoder::new_with_decoder(&mut rest, &mut decoder)
                .map_err(|error| error.to_string())
                .and_then(|mut frame| read_all(&mut frame, most, out).map_err(|error| error.to_string()));
            if result.is_err() {
                break result;
            }
        }
    };
    (result, stream.len() - rest.len())
}

/// First bytes of zstd frames.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The size of a frame that is to be skipped, where one begins here; `Some(None)` where it is cut off.
fn skippable(data: &[u8]) -> Option<Option<usize>> {
    let [0x50..=0x5F, 0x2A, 0x4D, 0x18, rest @ ..] = data else { return None };
    let size = rest.first_chunk().map(|size| u32::from_le_bytes(*size) as usize + 8);
    Some(size.filter(|&size| size <= data.len()))
}

/// Reads step by step: the announced size is not believed before the bytes are there.
fn read_all(reader: &mut dyn Read, most: u64, out: &mut Vec<u8>) -> io::Result<()> {
    while (out.len() as u64) < most {
        let left = most - out.len() as u64;
        if reader.take(left.min(STEP)).read_to_end(out)? == 0 {
            break;
        }
    }
    Ok(())
}
