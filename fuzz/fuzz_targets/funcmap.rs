//! Funcmaps and the records of configurations.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sqtt_fuzz::read_funcmap(data));
