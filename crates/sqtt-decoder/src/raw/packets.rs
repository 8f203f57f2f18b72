//! Packets that the profiler writes into a stream, through a register that is there for it: which code
//! object was loaded where.
//!
//! A word `\0ROC` says that packets follow; which of its bytes is the lowest is not written down, so
//! both orders are taken. A packet is a header (opcode in bits 0 to 7, kind of payload in bits 8 to 11)
//! and one word of payload; the last packet of a load or unload has kind 0. Other programs write words
//! of their own into the register, and packets of other opcodes are not known: they are left alone.

use std::collections::{BTreeMap, HashMap};

/// The register, `SQ_THREAD_TRACE_USERDATA_2`.
pub(super) const REGISTER: u64 = 0xC342;

/// `\0ROC`, the first byte lowest.
pub(super) const ENABLE: u32 = u32::from_le_bytes(*b"\0ROC");

const CODE_OBJECT: u32 = 4;

/// Kinds of payload of a code object's packets.
pub(super) mod payload {
    pub(in crate::raw) const TAIL: u32 = 0;
    pub(in crate::raw) const SIZE_LO: u32 = 1;
    pub(in crate::raw) const ADDRESS_LO: u32 = 2;
    pub(in crate::raw) const ADDRESS_HI: u32 = 3;
    pub(in crate::raw) const SIZE_HI: u32 = 4;
    pub(in crate::raw) const ID_LO: u32 = 5;
    pub(in crate::raw) const ID_HI: u32 = 6;
}

/// The header of a code object's packet.
pub(super) const fn header(kind: u32) -> u32 {
    CODE_OBJECT | kind << 8
}

/// A code object in the GPU's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoadedObject {
    /// Its number.
    pub id: u64,
    /// Its first byte.
    pub address: u64,
    /// Its bytes; 0 where that is not known.
    pub size: u64,
}

impl LoadedObject {
    /// The words that say that it was loaded, without [`ENABLE`].
    pub(super) fn words(&self) -> [u32; 14] {
        let halves = |value: u64| (value as u32, (value >> 32) as u32);
        let ((size_lo, size_hi), (low, high)) = (halves(self.size), halves(self.address));
        let (id_lo, id_hi) = halves(self.id);
        [
            header(payload::SIZE_LO),
            size_lo,
            header(payload::SIZE_HI),
            size_hi,
            header(payload::ADDRESS_LO),
            low,
            header(payload::ADDRESS_HI),
            high,
            header(payload::ID_LO),
            id_lo,
            header(payload::ID_HI),
            id_hi,
            header(payload::TAIL),
            // Loaded before the trace began; the short id is there for old readers.
            2 | (id_lo << 2),
        ]
    }
}

/// A packet that a word of the register completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packet {
    Load(LoadedObject),
    Unload(LoadedObject),
}

/// Puts packets together, word by word.
#[derive(Debug, Default)]
pub(super) struct Packets {
    enabled: bool,
    /// The kind of payload that the next word is.
    awaited: Option<u32>,
    size: u64,
    address: u64,
    id: Option<u64>,
}

impl Packets {
    pub(super) fn word(&mut self, word: u32) -> Option<Packet> {
        if let Some(kind) = self.awaited.take() {
            return self.payload(kind, word);
        }
        if word == ENABLE || word == ENABLE.swap_bytes() {
            *self = Self { enabled: true, ..Self::default() };
        } else if self.enabled && word & 0xFF == CODE_OBJECT {
            self.awaited = Some(word >> 8 & 0xF);
        }
        None
    }

    fn payload(&mut self, kind: u32, word: u32) -> Option<Packet> {
        let low = |value: &mut u64| *value = *value & !0xFFFF_FFFF | u64::from(word);
        let high = |value: &mut u64| *value = *value & 0xFFFF_FFFF | u64::from(word) << 32;
        match kind {
            payload::SIZE_LO => low(&mut self.size),
            payload::SIZE_HI => high(&mut self.size),
            payload::ADDRESS_LO => low(&mut self.address),
            payload::ADDRESS_HI => high(&mut self.address),
            payload::ID_LO => low(self.id.get_or_insert(0)),
            payload::ID_HI => high(self.id.get_or_insert(0)),
            payload::TAIL => {
                let id = self.id.unwrap_or_else(|| u64::from(word >> 2));
                let object = LoadedObject { id, address: self.address, size: self.size };
                *self = Self { enabled: true, ..Self::default() };
                return Some(if word & 1 == 0 { Packet::Load(object) } else { Packet::Unload(object) });
            }
            _ => {}
        }
        None
    }
}

/// The code objects that are loaded.
#[derive(Clone, Debug, Default)]
pub(super) struct Loaded {
    by_address: BTreeMap<u64, LoadedObject>,
    /// Address where each was loaded last.
    addresses: HashMap<u64, u64>,
}

impl Loaded {
    pub(super) fn load(&mut self, object: LoadedObject) {
        self.by_address.insert(object.address, object);
        self.addresses.insert(object.id, object.address);
    }

    pub(super) fn unload(&mut self, object: LoadedObject) {
        // An unload may come without an address.
        for address in [Some(object.address), self.addresses.remove(&object.id)].into_iter().flatten() {
            if self.by_address.get(&address).is_some_and(|own| own.id == object.id) {
                self.by_address.remove(&address);
            }
        }
    }

    /// The code object that an address is in.
    pub(super) fn at(&self, address: u64) -> Option<&LoadedObject> {
        let (_, object) = self.by_address.range(..=address).next_back()?;
        (object.size == 0 || address - object.address < object.size).then_some(object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_put_together() {
        let object = LoadedObject { id: 1 << 40 | 7, address: 0x7F12_3456_7000, size: 0x1_0000_0123 };
        for enable in [ENABLE, ENABLE.swap_bytes()] {
            let mut packets = Packets::default();
            // Without the word that enables them, packets are somebody else's words.
            assert!(object.words().into_iter().all(|word| packets.word(word).is_none()));
            assert_eq!(packets.word(enable), None);
            let done: Vec<_> = object.words().into_iter().filter_map(|word| packets.word(word)).collect();
            assert_eq!(done, [Packet::Load(object)]);
            // A payload that looks like the word that enables is a payload.
            packets.word(header(payload::ADDRESS_LO));
            packets.word(ENABLE);
            packets.word(header(payload::TAIL));
            let unloaded = LoadedObject { id: 9, address: u64::from(ENABLE), size: 0 };
            assert_eq!(packets.word(1 | 9 << 2), Some(Packet::Unload(unloaded)));
        }
    }

    #[test]
    fn addresses_belong_to_what_is_loaded() {
        let mut loaded = Loaded::default();
        let first = LoadedObject { id: 1, address: 0x1000, size: 0x100 };
        let second = LoadedObject { id: 2, address: 0x2000, size: 0 };
        loaded.load(first);
        loaded.load(second);
        assert_eq!(loaded.at(0xFFF), None);
        assert_eq!(loaded.at(0x10FF), Some(&first));
        assert_eq!(loaded.at(0x1100), None);
        assert_eq!(loaded.at(0x9_0000), Some(&second));
        loaded.unload(LoadedObject { id: 2, address: 0, size: 0 });
        assert_eq!(loaded.at(0x2000), None);
        assert_eq!(loaded.at(0x1000), Some(&first));
    }
}
