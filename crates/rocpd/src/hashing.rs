//! A hash for keys that are numbers of the profiler's own making: no attacker chooses them, and a lookup is
//! made for every counter value.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with numbers as keys.
pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Multiplies and folds; good enough for handles and ids.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = u128::from(self.0.rotate_left(5) ^ number) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        self.0 = (mixed >> 64) as u64 ^ mixed as u64;
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
