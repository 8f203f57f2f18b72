//! The decoder on files: folders as in `src/`, a file per subject.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;
mod traces;
mod work;

mod cpp_header;
mod vectors;

mod codeobj {
    mod code_objects;
    mod compressed;
    mod containers;
    mod damaged;
    mod fat_binaries;
    mod packed;
}

mod trace {
    mod folders;
    mod fuzz;
    mod gzip;
    mod malformed;
    mod memory;
    mod written;
}

mod raw {
    mod fuzz;
}

mod stream {
    mod borders;
    mod generated;
    mod semantics;
    mod sound;
}

/// A number of the environment: `FUZZ_SEED` for other input than the usual, `FUZZ_ROUNDS` for more of it.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}
