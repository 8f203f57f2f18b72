//! The format, as it is written and as others wrote it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod round_trip;
mod vectors;
