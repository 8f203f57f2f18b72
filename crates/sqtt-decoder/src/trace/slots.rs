//! Something for every slot of a shader engine, found fast.

use std::collections::HashMap;

use super::records::WaveSlot;

/// Slots that the direct table covers: 256 CUs, 4 SIMDs, 64 slots.
const TABLE: usize = 256 * 4 * 64;

/// By slot, in the order in which the slots turned up.
pub(crate) struct Slots<T> {
    slots: Vec<(WaveSlot, T)>,
    /// Index of the slot, plus one.
    table: Vec<u32>,
    /// Index of the slot for places outside of the table.
    others: HashMap<WaveSlot, usize>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), table: Vec::new(), others: HashMap::new() }
    }
}

impl<T: Default> Slots<T> {
    /// Value of a slot.
    #[inline]
    pub(crate) fn of(&mut self, place: WaveSlot) -> &mut T {
        let index = self.index(place);
        &mut self.slots[index].1
    }

    /// Value at an index.
    #[inline]
    #[cfg(feature = "raw")]
    pub(crate) fn at(&mut self, index: usize) -> Option<&mut T> {
        self.slots.get_mut(index).map(|(_, value)| value)
    }

    /// Index of a slot for `at`.
    #[inline]
    pub(crate) fn index(&mut self, place: WaveSlot) -> usize {
        let WaveSlot { cu, simd, slot } = place;
        if cu < 256 && simd < 4 && slot < 64 {
            let at = usize::from(cu) << 8 | usize::from(simd) << 6 | usize::from(slot);
            return match self.table.get(at) {
                Some(&index) if index > 0 => index as usize - 1,
                _ => self.add(place, at),
            };
        }
        self.other(place)
    }

    #[cold]
    fn other(&mut self, place: WaveSlot) -> usize {
        *self.others.entry(place).or_insert_with(|| {
            self.slots.push((place, T::default()));
            self.slots.len() - 1
        })
    }

    #[cold]
    fn add(&mut self, place: WaveSlot, at: usize) -> usize {
        if self.table.is_empty() {
            self.table = vec![0; TABLE];
        }
        self.slots.push((place, T::default()));
        self.table[at] = self.slots.len() as u32;
        self.slots.len() - 1
    }

    /// All of them, to be changed.
    #[cfg(feature = "raw")]
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut (WaveSlot, T)> {
        self.slots.iter_mut()
    }

    /// All of them.
    pub(crate) fn into_vec(self) -> Vec<(WaveSlot, T)> {
        self.slots
    }
}
