//! Loads and stores of every width, extension and half, in LDS, global, buffer and scratch memory.

use crate::asm::{self, LANES};
use crate::float::KEEP;

/// Loads: name since gfx11, before, in LDS since gfx11, in LDS before; bytes; what a register becomes.
type Load = (&'static str, &'static str, &'static str, &'static str, fn(u32) -> u32);

const NARROW: [Load; 10] = [
    ("load_u8", "load_ubyte", "load_u8", "read_u8", |x| x & 0xff),
    ("load_i8", "load_sbyte", "load_i8", "read_i8", |x| x as i8 as u32),
    ("load_u16", "load_ushort", "load_u16", "read_u16", |x| x & 0xffff),
    ("load_i16", "load_sshort", "load_i16", "read_i16", |x| x as i16 as u32),
    ("load_d16_u8", "load_ubyte_d16", "load_u8_d16", "read_u8_d16", |x| KEEP & 0xffff_0000 | x & 0xff),
    ("load_d16_i8", "load_sbyte_d16", "load_i8_d16", "read_i8_d16", |x| {
        KEEP & 0xffff_0000 | x as i8 as u32 & 0xffff
    }),
    ("load_d16_b16", "load_short_d16", "load_u16_d16", "read_u16_d16", |x| KEEP & 0xffff_0000 | x & 0xffff),
    ("load_d16_hi_u8", "load_ubyte_d16_hi", "load_u8_d16_hi", "read_u8_d16_hi", |x| {
        (x & 0xff) << 16 | KEEP & 0xffff
    }),
    ("load_d16_hi_i8", "load_sbyte_d16_hi", "load_i8_d16_hi", "read_i8_d16_hi", |x| {
        (x as i8 as u32) << 16 | KEEP & 0xffff
    }),
    ("load_d16_hi_b16", "load_short_d16_hi", "load_u16_d16_hi", "read_u16_d16_hi", |x| {
        x << 16 | KEEP & 0xffff
    }),
];

/// Stores of bytes from `v14` on: names as above, bytes, first byte of the register.
const STORES: [(&str, &str, &str, &str, usize, usize); 8] = [
    ("store_b8", "store_byte", "store_b8", "write_b8", 1, 0),
    ("store_b16", "store_short", "store_b16", "write_b16", 2, 0),
    ("store_d16_hi_b8", "store_byte_d16_hi", "store_b8_d16_hi", "write_b8_d16_hi", 1, 2),
    ("store_d16_hi_b16", "store_short_d16_hi", "store_b16_d16_hi", "write_b16_d16_hi", 2, 2),
    ("store_b32", "store_dword", "store_b32", "write_b32", 4, 0),
    ("store_b64", "store_dwordx2", "store_b64", "write_b64", 8, 0),
    ("store_b96", "store_dwordx3", "store_b96", "write_b96", 12, 0),
    ("store_b128", "store_dwordx4", "store_b128", "write_b128", 16, 0),
];

const WIDE: [(&str, &str, &str, &str, usize); 4] = [
    ("load_b32", "load_dword", "load_b32", "read_b32", 1),
    ("load_b64", "load_dwordx2", "load_b64", "read_b64", 2),
    ("load_b96", "load_dwordx3", "load_b96", "read_b96", 3),
    ("load_b128", "load_dwordx4", "load_b128", "read_b128", 4),
];

/// A place for 16 bytes of each lane: prefix of its instructions, what sets its address up, operands behind.
struct Place {
    prefix: &'static str,
    address: String,
    /// `(address, operands after the data)`
    first: &'static str,
    rest: &'static str,
    lds: bool,
}

fn places(generation: u8) -> Vec<Place> {
    let word3 = match generation {
        9 => "0x00027000",
        10 | 11 => "0x31014000",
        _ => "0x30014000",
    };
    let zero = if generation == 12 { ", s[8:11], null offen" } else { ", s[8:11], 0 offen" };
    let descriptor = format!(
        "v_lshlrev_b32 v3, 5, v0\n\ts_mov_b32 s8, s4\n\ts_mov_b32 s9, s5\n\ts_mov_b32 s10, 0x400\n\ts_mov_b32 s11, {word3}\n\t"
    );
    let place = |prefix, address: &str, first, rest| Place {
        prefix,
        address: address.to_owned(),
        first,
        rest,
        lds: prefix == "ds_",
    };
    let mut places = vec![
        place("ds_", "v_lshlrev_b32 v3, 4, v0\n\t", "v3", ""),
        place("global_", "v_lshlrev_b32 v3, 5, v0\n\t", "v3", ", s[4:5]"),
        place("buffer_", &descriptor, "v3", zero),
    ];
    if generation >= 11 {
        places.push(place("scratch_", "v_mov_b32 v3, 16\n\t", "v3", ", off"));
    }
    places
}

impl Place {
    fn name(&self, generation: u8, names: [&str; 4]) -> String {
        let k = usize::from(generation < 11) + 2 * usize::from(self.lds);
        format!("{}{}", self.prefix, names[k])
    }

    fn load(&self, name: &str, to: &str, offset: usize) -> String {
        format!("{name} {to}, {}{} offset:{offset}\n\t", self.first, self.rest)
    }

    fn store(&self, name: &str, data: &str, offset: usize) -> String {
        // Buffers name the data first.
        let operands = if self.prefix == "buffer_" {
            format!("{data}, {}", self.first)
        } else {
            format!("{}, {data}", self.first)
        };
        format!("{name} {operands}{} offset:{offset}\n\t", self.rest)
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    (0..4).fold(0, |w, k| w | u32::from(bytes[at + k]) << (8 * k))
}

fn tuple(first: usize, words: usize) -> String {
    if words == 1 { format!("v{first}") } else { format!("v[{first}:{}]", first + words - 1) }
}

type Case = (String, Box<dyn Fn(&[u32; 8]) -> [u32; 2]>);

fn cases(generation: u8) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for place in places(generation) {
        let full = WIDE[3];
        let fill = place.address.clone()
            + &place.store(
                &place.name(generation, [STORES[7].0, STORES[7].1, STORES[7].2, STORES[7].3]),
                "v[10:13]",
                0,
            );
        // With SRAM ECC halves do not keep their neighbour: refused on gfx9.
        let narrow = NARROW.iter().filter(|n| generation > 9 || !n.0.contains("d16"));
        for &(a, b, c, d, becomes) in narrow {
            let name = place.name(generation, [a, b, c, d]);
            for offset in [4, 6] {
                cases.push((
                    fill.clone() + &place.load(&name, "v20", offset),
                    Box::new(move |i| [becomes(i[1] >> (8 * (offset - 4))), KEEP]),
                ));
            }
        }
        for (a, b, c, d, words) in WIDE {
            let load = place.load(&place.name(generation, [a, b, c, d]), &tuple(24, words), 0);
            let last = 23 + words;
            let text = format!("{fill}{load}v_mov_b32 v20, v24\n\tv_mov_b32 v21, v{last}");
            cases.push((text, Box::new(move |i| [i[0], i[words - 1]])));
        }
        for (a, b, c, d, width, from) in STORES {
            let offset = if width < 4 { 5 - width % 2 + width / 2 } else { 16 - width };
            let data = tuple(14, width.div_ceil(4));
            let store = place.store(&place.name(generation, [a, b, c, d]), &data, offset);
            let load = place.load(&place.name(generation, [full.0, full.1, full.2, full.3]), "v[24:27]", 0);
            for first in [0, 2] {
                let show = format!("v_mov_b32 v20, v{}\n\tv_mov_b32 v21, v{}", 24 + first, 25 + first);
                let text = format!("{fill}{store}{load}{show}");
                cases.push((
                    text,
                    Box::new(move |i| {
                        let mut memory = bytes(&i[..4]);
                        memory[offset..offset + width].copy_from_slice(&bytes(&i[4..])[from..from + width]);
                        [word(&memory, 4 * first), word(&memory, 4 * first + 4)]
                    }),
                ));
            }
        }
    }
    cases
}

#[test]
fn loads_and_stores_of_every_width() {
    let clang = asm::clang();
    let inputs: [[u32; 8]; LANES] = std::array::from_fn(|l| {
        std::array::from_fn(|k| (l as u32 * 8 + k as u32 + 1).wrapping_mul(0x9e37_79b9).rotate_left(k as u32))
    });
    let mut failures = Vec::new();
    for (target, generation) in asm::TARGETS {
        let cases = cases(generation);
        let texts: Vec<String> = cases.iter().map(|c| c.0.clone()).collect();
        let results = asm::run_cases(&clang, (target, generation), &inputs, &texts);
        for ((text, expect), lanes) in cases.iter().zip(&results) {
            if let Some(l) = (0..LANES).find(|&l| lanes[l] != expect(&inputs[l])) {
                let (got, want) = (lanes[l], expect(&inputs[l]));
                failures.push(format!("{target} `{text}` lane {l}: {got:x?}, expected {want:x?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
