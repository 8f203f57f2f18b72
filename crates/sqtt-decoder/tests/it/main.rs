//! The decoder on files: folders as in `src/`, a file per subject.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sqtt_decoder::generate::Random;

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
    mod units;
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

/// At most so many changes to bytes: cut off, changed at random, a piece taken out or doubled; and in two of six the
/// caller's, at a place, an insertion or not.
fn mutated(
    bytes: &[u8],
    most: u64,
    random: &mut Random,
    own: impl Fn(&mut Vec<u8>, usize, bool, &mut Random),
) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(most) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len() as u64) as usize;
        match random.below(6) {
            0 => bytes.truncate(at),
            2 => bytes[at] = random.bits() as u8,
            3 => drop(bytes.drain(at..(at + 1 + random.below(40) as usize).min(bytes.len()))),
            4 => {
                let end = (at + 1 + random.below(200) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            kind => own(&mut bytes, at, kind == 5, random),
        }
    }
    bytes
}
