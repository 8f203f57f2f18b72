//! Code objects and host programs: the bytes as they are.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sqtt_fuzz::read_file(data.to_vec()));
