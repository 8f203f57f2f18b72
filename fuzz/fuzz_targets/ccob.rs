//! Compressed bundles: raw bytes behind the magic number, and headers that fit what follows.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data.split_first() {
        Some((choice, rest)) if choice & 1 == 0 => sqtt_fuzz::read_file(sqtt_fuzz::compressed_bundle(rest)),
        Some((_, rest)) => sqtt_fuzz::read_file([b"CCOB", rest].concat()),
        None => {}
    }
});
