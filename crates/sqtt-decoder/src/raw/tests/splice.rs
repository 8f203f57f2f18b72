//! Tokens put between those of real captures come back exactly, and nothing else changes.

use super::{header, index, tokens, unpacked};
use crate::generate::Random;
use crate::raw::engine::{EngineRead, SlotRead};
use crate::raw::token::{Field, TokenKind};
use crate::raw::walk::{Clock, walk};
use crate::trace::{Launch, WaveSlot};
use crate::{Record, RecordFlags};

/// Tokens and their lengths.
pub(super) type Words = Vec<(u128, u8)>;

/// A stream with tokens inserted at bits of it, in order.
pub(super) fn insert(bytes: &[u8], inserts: &[(u64, Words)]) -> Vec<u8> {
    let mut nibbles: Vec<u8> = Vec::with_capacity(bytes.len() * 2 + 64);
    let mut taken = 0;
    let nibble = |index: u64| bytes[(index / 2) as usize] >> (4 * (index % 2)) & 0xF;
    for (at, words) in inserts {
        nibbles.extend((taken..at / 4).map(nibble));
        taken = at / 4;
        for &(word, bits) in words {
            nibbles.extend((0..u32::from(bits) / 4).map(|index| (word >> (4 * index)) as u8 & 0xF));
        }
    }
    nibbles.extend((taken..bytes.len() as u64 * 2).map(nibble));
    if nibbles.len() % 2 == 1 {
        nibbles.push(0);
    }
    nibbles.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect()
}

/// A slot: its records, and its waves.
type Slot = (WaveSlot, Vec<Record>, Vec<Launch>);

fn read(mut bytes: &[u8]) -> Vec<Slot> {
    let header = header(bytes);
    let table = header.generation.table();
    let mut read = EngineRead::new(table);
    walk(table, &mut bytes, header.bytes, &mut Clock::default(), &mut read);
    assert_eq!((read.unknown, read.impossible_slots), (None, 0));
    let slots = read.into_slots().into_iter();
    let mut slots: Vec<Slot> = slots
        .map(|(place, SlotRead { records, launches })| (place, records.iter().collect(), launches))
        .collect();
    slots.sort_by_key(|(place, ..)| (place.cu, place.simd, place.slot));
    slots
}

#[test]
#[ignore = "it reads the shared test data"]
fn spliced_tokens_come_back_exactly() {
    let (_folder, root) = unpacked();
    let mut random = Random::new(9);
    let mut spliced = 0;
    for capture in index(&root) {
        for file in &capture.traces {
            let bytes = std::fs::read(root.join(&file.file)).unwrap();
            let (generation, tokens) = tokens(&bytes);
            let table = generation.table();
            let has_short = table.row(TokenKind::ShaderDataShort).is_some();
            let mut inserts = Vec::new();
            let mut expected: Vec<(WaveSlot, Record)> = Vec::new();
            // Where a token begins, one in eight; some get several.
            for &(kind, at, time) in tokens.seen.iter().skip(1) {
                if random.below(8) > 0 {
                    continue;
                }
                // What the token that follows adds has not happened yet.
                let row = table.row(kind).unwrap();
                let word = (0..16_u64).fold(0_u64, |word, bit| {
                    let at = at + bit;
                    let set = bytes.get((at / 8) as usize).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
                    word | u64::from(set) << bit
                });
                let (low, bits) = row.delta;
                let own = (word >> low & ((1 << bits) - 1)) << table.scale;
                let time = time - (own + u64::from(row.adds)) as i64;
                let mut words = Vec::new();
                for _ in 0..1 + random.below(3) {
                    let short = has_short && random.below(2) == 0;
                    let kind = if short { TokenKind::ShaderDataShort } else { TokenKind::ShaderData };
                    let row = table.row(kind).unwrap();
                    let trap = if table.layout(kind).has(Field::Trap) { random.below(4) } else { 0 };
                    let value = random.bits() as u32 & if short { 0xFF } else { u32::MAX };
                    let has_array = table.layout(kind).has(Field::Array);
                    let array = if has_array { random.below(2) } else { 0 };
                    let units = if table.layout(kind).has(Field::Exec) { 8 } else { 16 };
                    let (unit, simd) = (random.below(units), random.below(4));
                    let slot = random.below(u64::from(table.last_slot) + 1);
                    let fields = [
                        (Field::Array, array),
                        (Field::Unit, unit),
                        (Field::Simd, simd),
                        (Field::Slot, slot),
                        (Field::Data, u64::from(value)),
                        (Field::Trap, trap),
                    ];
                    words.push((row.encode(0, &fields).unwrap(), row.bits));
                    let flags = RecordFlags::IMMEDIATE.when(short) | RecordFlags::PRIVILEGED.when(trap != 0);
                    let place =
                        WaveSlot { cu: (unit | array << 7) as u16, simd: simd as u8, slot: slot as u8 };
                    expected.push((place, Record { time, value, flags }));
                }
                inserts.push((at, words));
            }
            let before = read(&bytes);
            assert!(before.iter().all(|(_, records, _)| records.is_empty()));
            let after = read(&insert(&bytes, &inserts));
            let what = file.file.display();
            let waves = |slots: &[Slot]| -> Vec<(WaveSlot, Vec<Launch>)> {
                let slots = slots.iter().filter(|(.., launches)| !launches.is_empty());
                slots.map(|(place, _, launches)| (*place, launches.clone())).collect()
            };
            assert_eq!(waves(&before), waves(&after), "{what}");
            spliced += expected.len();
            for (place, records, _) in after {
                let own = expected.iter().filter(|(at, _)| *at == place).map(|(_, record)| *record);
                assert!(own.eq(records), "{what}: {place:?}");
                expected.retain(|(at, _)| *at != place);
            }
            assert!(expected.is_empty(), "{what}: {expected:?}");
        }
    }
    assert!(spliced > 5000, "{spliced}");
}

/// gfx11's tokens with bit 14 are no traced words; gfx10 has no such bit.
#[test]
fn bit_14_hides_a_word_on_gfx11() {
    use crate::raw::{Encoder, Generation};
    for (generation, kept) in [(Generation::Gfx10, 2), (Generation::Gfx11, 0)] {
        let mut encoder = Encoder::new(generation);
        encoder.token(8, TokenKind::Time, &[]).unwrap();
        let bytes = encoder.finish();
        let mut words = Words::new();
        for kind in [TokenKind::ShaderData, TokenKind::ShaderDataShort] {
            let row = generation.table().row(kind).unwrap();
            words.push((row.encode(0, &[(Field::Data, 0x55)]).unwrap() | 1 << 14, row.bits));
        }
        let slots = read(&insert(&bytes, &[(72, words)]));
        assert_eq!(slots.iter().map(|(_, records, _)| records.len()).sum::<usize>(), kept, "{generation}");
    }
}
