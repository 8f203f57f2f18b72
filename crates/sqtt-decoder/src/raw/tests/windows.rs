//! Windows: a stream is what it is, wherever windows end in it.

use super::{ByteSource, header};
use crate::generate::Random;
use crate::raw::token::{Field, TokenKind, TokenLayout};
use crate::raw::walk::{Clock, Sink, walk_in};
use crate::raw::{Encoder, Generation, LoadedObject};
use crate::trace::{Record, RecordFlags, SlotId};

/// The smallest window that the longest token, and what is read at once, have room in.
const SMALLEST: usize = 24;

/// Every call, as text.
#[derive(Default)]
struct Calls(Vec<String>);

impl Sink for Calls {
    fn start(&mut self, time: i64, layout: &TokenLayout, word: u64) {
        self.0.push(format!("start {time} {}", layout.get(Field::Slot, word)));
    }

    fn end(&mut self, time: i64, layout: &TokenLayout, word: u64) {
        self.0.push(format!("end {time} {}", layout.get(Field::Slot, word)));
    }

    fn data(&mut self, time: i64, word: u64, is_short: bool) {
        // Bits behind the token are another's.
        let bits = if is_short { 28 } else { 48 };
        self.0.push(format!("data {time} {:x} {is_short}", word & ((1 << bits) - 1)));
    }

    fn register(&mut self, time: i64, layout: &TokenLayout, word: u64) {
        self.0.push(format!(
            "register {time} {:x} {:x}",
            layout.get(Field::Address, word),
            layout.get(Field::Data, word)
        ));
    }

    fn real_time(&mut self, time: i64, clock: u64) {
        self.0.push(format!("real time {time} {clock}"));
    }

    fn packet_loss(&mut self, time: i64) {
        self.0.push(format!("loss {time}"));
    }

    fn unknown(&mut self, time: i64, at: u64) {
        self.0.push(format!("unknown {time} {at}"));
    }
}

/// Calls of the sink, and the bit of a token that is cut off.
fn calls(mut bytes: &[u8], size: usize) -> (Vec<String>, Option<u64>, String) {
    let header = header(bytes);
    let (mut calls, mut clock) = (Calls::default(), Clock::default());
    let table = header.generation.table();
    let cut = walk_in(size, table, &mut bytes, header.bytes, &mut clock, &mut calls);
    (calls.0, cut, format!("{clock:?}"))
}

/// A stream with every token that is looked at, and stretches of zeros.
fn stream(generation: Generation, random: &mut Random) -> Vec<u8> {
    let step = if generation == Generation::Gfx9 { 4 } else { 1 };
    let mut encoder = Encoder::new(generation);
    encoder.loaded(0, &LoadedObject { id: 7, address: 0x1000, size: 0x1000 }).unwrap();
    let mut now = 0;
    for _ in 0..60 {
        now += step * if random.below(6) == 0 { random.below(1 << 40) } else { random.below(20) };
        let slot = SlotId { se: 0, cu: random.below(3) as u16, simd: 1, slot: random.below(9) as u8 };
        let value = random.bits() as u32;
        match random.below(8) {
            0 => encoder.start(now, slot),
            1 => encoder.end(now, slot),
            2 => encoder.packet_loss(now),
            3 => encoder.program(now, random.bits() >> 20 << 8),
            4 => encoder.token(now, TokenKind::Inst, &[]),
            5 => encoder.real_time(now, now).or(Ok(())),
            _ => encoder.data(slot, Record { time: now as i64, value, flags: RecordFlags::NONE }),
        }
        .unwrap();
    }
    encoder.finish()
}

fn compare(bytes: &[u8], what: &str) {
    let whole = calls(bytes, bytes.len() + 1);
    for size in (SMALLEST..SMALLEST + 20).chain([64, 100, 333, bytes.len(), bytes.len() - 1]) {
        assert!(calls(bytes, size.max(SMALLEST)) == whole, "{what}: windows of {size} bytes");
    }
}

#[test]
fn tokens_are_the_same_wherever_windows_end() {
    let mut random = Random::new(15);
    for generation in Generation::ALL {
        for round in 0..20 {
            let mut bytes = stream(generation, &mut random);
            compare(&bytes, &format!("{generation} {round}"));
            let at = 8 + random.below(bytes.len() as u64 - 8) as usize;
            bytes.splice(at..at, vec![0; random.below(200) as usize]);
            compare(&bytes, &format!("{generation} {round} with zeros"));
            bytes.truncate(bytes.len() - 1 - random.below(40) as usize);
            compare(&bytes, &format!("{generation} {round} cut off"));
            let random_bytes = (0..300).map(|_| random.bits() as u8);
            let bytes: Vec<u8> = bytes[..8].iter().copied().chain(random_bytes).collect();
            compare(&bytes, &format!("{generation} {round}, random bytes"));
        }
    }
}

/// gfx9 says what time it is in a token that may lie any number of windows behind the one that resets it.
#[test]
fn times_are_said_far_behind_a_reset() {
    for (again, gap) in [(false, 0), (false, 500), (true, 500)] {
        let mut bytes = Encoder::new(Generation::Gfx9).bytes().to_vec();
        let mut put = |kind: TokenKind, fields: &[(Field, u64)]| {
            let row = Generation::Gfx9.table().row(kind).unwrap();
            let token = row.encode(0, fields).unwrap().to_le_bytes();
            bytes.extend_from_slice(&token[..usize::from(row.bits / 8)]);
        };
        let reset = [(Field::Subtype, 1)];
        put(TokenKind::Misc, &reset);
        put(TokenKind::Time, &[(Field::Time, 1000)]);
        put(TokenKind::Misc, &reset);
        put(TokenKind::WaveEnd, &[]);
        (0..gap).for_each(|_| put(TokenKind::Event, &[]));
        if again {
            put(TokenKind::Misc, &reset);
        }
        (0..gap).for_each(|_| put(TokenKind::Event, &[]));
        put(TokenKind::Time, &[(Field::Time, 9000)]);
        put(TokenKind::WaveEnd, &[]);
        bytes.resize(bytes.len() + 64, 0);
        compare(&bytes, &format!("{again} {gap}"));
        // The first TIME token says only what is counted from: 4 more than it says.
        let first = if again { 0 } else { 7996 };
        let ends = calls(&bytes, 64).0;
        assert_eq!(ends, [format!("end {first} 0"), "end 7996 0".to_owned()], "{again} {gap}");
    }
}

/// gfx12 starts waves with tokens that say only at their ends how long they are.
#[test]
fn tokens_that_grow_over_windows() {
    let generation = Generation::Gfx12;
    for length in 0..90 {
        let mut bytes = Encoder::new(generation).bytes().to_vec();
        let row = generation.table().row(TokenKind::WaveStartExt).unwrap();
        let token = row.encode(0, &[(Field::Slot, 5)]).unwrap();
        bytes.extend_from_slice(&token.to_le_bytes()[..5]);
        bytes.resize(bytes.len() + length, 0xFF);
        let row = generation.table().row(TokenKind::WaveEnd).unwrap();
        let end = row.encode(0, &[(Field::Slot, 6)]).unwrap() << 8;
        bytes.extend_from_slice(&end.to_le_bytes());
        bytes.resize(bytes.len() + 64, 0);
        compare(&bytes, &format!("{length} bytes more"));
        assert_eq!(calls(&bytes, SMALLEST).0, ["start 0 5", "end 0 6"], "{length}");
    }
}

/// A source says that it ends by giving less than was asked for, also where that is nothing.
#[test]
fn streams_as_long_as_windows() {
    let bytes = stream(Generation::Gfx11, &mut Random::new(1));
    for length in 8..200 {
        compare(&bytes[..length], &format!("{length} bytes"));
    }
    let mut empty: &[u8] = &[];
    assert_eq!(empty.read_at(8, &mut [0; 4]), 0);
}
