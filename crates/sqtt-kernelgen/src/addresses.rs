//! Holds the address blocks of a run against the accesses that the simulator saw.
//!
//! The rule. A block speaks of the operation behind it: of the accesses that the wave makes after the block's last record
//! and before its next one. Every lane that the block says is active has its address there.
//!
//! | the code generator | then |
//! |---|---|
//! | does the operation in one instruction | it accesses exactly the block's lanes, each at its address |
//! | splits a wide or badly aligned one, or narrows a load of which a part is used | each access is of exactly the block's lanes, at one offset from each lane's address, within the operation's bytes |
//! | makes a load of one address for all lanes a scalar one | the scalar load covers the address that every lane has |
//! | lets one lane do an atomic for all, or makes it a loop | each access is of an active lane, within its operation's bytes (a small atomic: within its aligned word) |
//! | issues a buffer operation once for each resource | block by block in that order |
//! | drops a load that nobody uses | the block stands alone; counted |
//! | sinks a load to the lanes that use it, past the blocks of other lanes | each lane has the address that the block gave it |
//!
//! And the other way round: every access of a kind that is traced, to LDS or to the kernel's buffers, stands behind a block
//! of its own. Constants lie in the object and have none. Private memory need not have one: of a flat pointer it is not
//! always known that it leads there.

use sqtt_decoder::payload::{AddressBlock, Lane};
use sqtt_format::{AddressKind, Entry, Marker, WaveSize};
use sqtt_sim::{Access, AccessKind, BufferOut, WaveTrace};
use std::collections::{BTreeMap, HashMap};

/// The begin of flat addresses of LDS and of private memory, as the simulator has it.
const SHARED_APERTURE: u64 = 0x0001_0000_0000_0000;
const PRIVATE_APERTURE: u64 = 0x0002_0000_0000_0000;

/// The address points of an object.
#[derive(Clone, Debug, Default)]
pub struct Points {
    entries: HashMap<u32, Entry>,
    payloads: HashMap<u32, u32>,
    bytes: BTreeMap<u32, u32>,
    /// The `W:` row.
    pub wave: Option<u32>,
}

/// Numbers of things that were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Blocks, and lanes in them.
    pub blocks: usize,
    /// Lanes whose address was compared.
    pub lanes: usize,
    /// Blocks of loads that the code generator dropped.
    pub dropped: usize,
}

/// The kinds that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Traced {
    pub memory: bool,
    pub lds: bool,
}

/// The class of an access, as far as blocks care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Load,
    Store,
    Atomic,
    Permute,
    Bpermute,
}

/// A block of a wave, and where its records end.
struct Found<'a> {
    block: AddressBlock<'a>,
    id: u32,
    bytes: Option<u32>,
    end: usize,
    /// The records that are the wave's before the block.
    start: usize,
}

impl Points {
    /// Reads an object's map and record.
    ///
    /// # Errors
    /// A sentence that says what is wrong with them.
    pub fn read(object: &[u8]) -> Result<Self, String> {
        let funcmap = crate::trace::funcmap(object)?;
        let mut points =
            Self { wave: funcmap.map.as_ref().and_then(sqtt_decoder::Funcmap::wave_size), ..Self::default() };
        for (entry, _) in funcmap.entries() {
            if let Some(id) = entry.id() {
                points.payloads.insert(id, entry.extra_payload_count());
                if entry.address_block().is_some() {
                    points.entries.insert(id, entry.clone());
                }
            }
        }
        if let Some(config) = &funcmap.config {
            points.bytes.clone_from(config.access_bytes());
        }
        Ok(points)
    }

    /// The traced operations: kind, wave size and location of each id.
    #[must_use]
    pub fn operations(&self) -> Vec<(u32, AddressKind, WaveSize, String)> {
        let mut all: Vec<_> = self
            .entries
            .iter()
            .filter_map(|(id, entry)| {
                let (kind, wave) = entry.address_block()?;
                let location = String::from_utf8_lossy(entry.source_loc().unwrap_or_default()).into_owned();
                Some((*id, kind, wave, location))
            })
            .collect();
        all.sort_by_key(|(id, ..)| *id);
        all
    }

    /// The bytes that a lane accesses at an id.
    #[must_use]
    pub fn bytes(&self, id: u32) -> Option<u32> {
        self.bytes.get(&id).copied()
    }

    /// A wave's words without those of address blocks.
    #[must_use]
    pub fn without_blocks(&self, words: &[u32]) -> Vec<u32> {
        let mut kept = Vec::new();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            let id = Marker::from_word(word).id;
            let length = 1 + self.payloads.get(&id).copied().unwrap_or(0) as usize;
            if !self.is_header(word) {
                kept.extend_from_slice(&words[at..words.len().min(at + length)]);
            }
            at += length;
        }
        kept
    }

    fn is_header(&self, word: u32) -> bool {
        let marker = Marker::from_word(word);
        !marker.enter && !marker.exit && self.entries.contains_key(&marker.id)
    }

    fn blocks<'a>(&self, words: &'a [u32]) -> Result<Vec<Found<'a>>, String> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            let marker = Marker::from_word(word);
            let length = self.payloads.get(&marker.id).copied().unwrap_or(0) as usize;
            if self.is_header(word) {
                let entry = &self.entries[&marker.id];
                let payload = words.get(at + 1..at + 1 + length).ok_or_else(|| {
                    format!("record {at}: a block of {length} words, {} left", words.len() - at - 1)
                })?;
                let block = AddressBlock::new(entry, payload)
                    .ok_or_else(|| format!("record {at}: no address block behind {word:#x}"))?;
                let bytes = self.bytes(marker.id);
                found.push(Found { block, id: marker.id, bytes, start: at, end: at + 1 + length });
            }
            at += 1 + length;
        }
        Ok(found)
    }

    /// Compares the blocks of one wave with its accesses.
    ///
    /// # Errors
    /// The first block or access that the rule does not allow.
    pub fn check(&self, wave: &WaveTrace, buffers: &[BufferOut], traced: Traced) -> Result<Compared, String> {
        let words: Vec<u32> = wave.markers.iter().map(|marker| marker.value).collect();
        let blocks = self.blocks(&words)?;
        let scratch =
            |access: &&Access| matches!(access.kind, AccessKind::ScratchLoad | AccessKind::ScratchStore);
        let mut accesses: Vec<&Access> = wave.accesses.iter().filter(|access| !scratch(access)).collect();
        let mut compared = Compared::default();
        let mut turns: Vec<&Found<'_>> = Vec::new();
        let mut alone: Vec<&Found<'_>> = Vec::new();
        for (k, found) in blocks.iter().enumerate() {
            if let Some(inside) =
                accesses.iter().find(|access| found.start < access.after && access.after < found.end)
            {
                return Err(format!("{}: {} stands between its records", found.text(), text(inside)));
            }
            turns.push(found);
            // The blocks of all turns of a buffer operation come before the first of its accesses.
            let behind = accesses.iter().any(|access| access.after == found.end && found.fits(access));
            let goes_on = |next: &Found<'_>| next.id == found.id && next.start == found.end;
            if found.block.buffer.is_some() && !behind && blocks.get(k + 1).is_some_and(goes_on) {
                continue;
            }
            let several = turns.len() > 1;
            for turn in turns.drain(..) {
                compared.blocks += 1;
                compared.lanes += turn.block.active_lanes().count();
                if !turn.take(&mut accesses, found.end, several)? {
                    compared.dropped += 1;
                    alone.push(turn);
                }
            }
        }
        let sunk = |access: &Access| alone.iter().any(|found| found.is_sunk_to(access));
        let untraced = accesses.iter().find(|access| match access.kind {
            AccessKind::ScalarLoad => false,
            AccessKind::GlobalLoad | AccessKind::FlatLoad if sunk(access) => false,
            _ if access.lanes.iter().all(|(_, address)| is_private(*address)) => false,
            AccessKind::Permute
            | AccessKind::Bpermute
            | AccessKind::LdsLoad
            | AccessKind::LdsStore
            | AccessKind::LdsAtomic => traced.lds,
            _ if access.lanes.iter().all(|(_, address)| is_lds(*address)) => traced.lds,
            _ => traced.memory && access.lanes.iter().any(|(_, address)| is_in(buffers, *address)),
        });
        match untraced {
            Some(access) => Err(format!("{} has no block", text(access))),
            None => Ok(compared),
        }
    }
}

impl Found<'_> {
    fn class(&self) -> Class {
        use AddressKind as K;
        match self.block.kind {
            K::Load | K::LdsLoad | K::BufferLoad | K::StructBufferLoad => Class::Load,
            K::Store | K::LdsStore | K::BufferStore | K::StructBufferStore => Class::Store,
            K::Atomic | K::LdsAtomic | K::BufferAtomic | K::StructBufferAtomic => Class::Atomic,
            K::DsPermute => Class::Permute,
            K::DsBpermute => Class::Bpermute,
        }
    }

    fn is_lds(&self) -> bool {
        matches!(self.block.kind, AddressKind::LdsLoad | AddressKind::LdsStore | AddressKind::LdsAtomic)
    }

    fn text(&self) -> String {
        format!("the block of {} at record {} (id {})", self.block.kind.name(), self.start, self.id)
    }

    /// Lane → address.
    fn lanes(&self) -> Vec<(u32, u64)> {
        self.block
            .active_lanes()
            .map(|(lane, what)| {
                let address = match (what, self.block.buffer) {
                    (Lane::Structured { voffset, vindex }, Some(buffer)) => {
                        let index = u64::from(vindex) * u64::from(buffer.stride());
                        buffer.base() + u64::from(buffer.soffset) + u64::from(voffset) + index
                    }
                    (Lane::Address(address), _) => address,
                    (Lane::Structured { .. }, None) => u64::MAX,
                };
                (lane, address)
            })
            .collect()
    }

    /// True where an access could be of this block's operation, by its kind.
    fn fits(&self, access: &Access) -> bool {
        use AccessKind as A;
        if access.kind == A::ScalarLoad {
            return self.class() == Class::Load && !self.is_lds();
        }
        let class = match access.kind {
            A::GlobalLoad | A::FlatLoad | A::BufferLoad | A::LdsLoad => Class::Load,
            A::GlobalStore | A::FlatStore | A::BufferStore | A::LdsStore => Class::Store,
            A::GlobalAtomic | A::FlatAtomic | A::BufferAtomic | A::LdsAtomic => Class::Atomic,
            A::Permute => Class::Permute,
            A::Bpermute => Class::Bpermute,
            A::ScalarLoad | A::ScratchLoad | A::ScratchStore => return false,
        };
        // A loop reads before it compares and swaps.
        class == self.class() || self.class() == Class::Atomic && class == Class::Load
    }

    /// True where a later access of some of the lanes may be this load.
    fn is_sunk_to(&self, access: &Access) -> bool {
        let said: HashMap<u32, u64> = self.lanes().into_iter().collect();
        let bytes = u64::from(self.bytes.unwrap_or(16));
        let is_within = |lane: &u32, address: u64| {
            said.get(lane)
                .is_some_and(|&from| from <= address && address + u64::from(access.width) <= from + bytes)
        };
        self.class() == Class::Load
            && self.end <= access.after
            && access.lanes.iter().all(|(lane, address)| is_within(lane, *address))
    }

    /// Takes the accesses of this block's operation out of those left that follow record `end`: one of them where the
    /// operation has `several` turns. False where a load has none, or only one of some of the lanes, to which it was sunk.
    fn take(&self, accesses: &mut Vec<&Access>, end: usize, several: bool) -> Result<bool, String> {
        let lanes = self.lanes();
        let by_lane: HashMap<u32, u64> = lanes.iter().copied().collect();
        let bytes = u64::from(self.bytes.unwrap_or(16));
        let place =
            |address: u64| if self.is_lds() && is_lds(address) { address & 0xFFFF_FFFF } else { address };
        let within = |lane: &u32, address: u64, width: u32| {
            by_lane.get(lane).is_some_and(|&from| {
                let (first, last) = match self.class() {
                    Class::Atomic => (from & !3, (from + bytes).next_multiple_of(4)),
                    Class::Load | Class::Store => (from, from + bytes),
                    Class::Permute | Class::Bpermute => (from, from + 4),
                };
                let address = place(address);
                first <= address && address + u64::from(width) <= last
            })
        };
        let mut taken = Vec::new();
        for (k, access) in accesses.iter().enumerate().filter(|(_, access)| access.after == end) {
            if !self.fits(access) || several && !taken.is_empty() {
                continue;
            }
            if access.kind == AccessKind::ScalarLoad {
                let [(_, start)] = access.lanes[..] else { continue };
                let covered =
                    |address: u64| start <= address && address + bytes <= start + u64::from(access.width);
                if lanes.iter().all(|(_, address)| covered(*address)) {
                    taken.push(k);
                }
                continue;
            }
            if !access.lanes.iter().all(|(lane, address)| within(lane, *address, access.width)) {
                continue;
            }
            let found: Vec<(u32, u64)> =
                access.lanes.iter().map(|(lane, address)| (*lane, place(*address))).collect();
            if self.class() == Class::Load && found.len() < lanes.len() {
                continue;
            }
            let shifted = |offset: u64| lanes.iter().map(move |(lane, address)| (*lane, address + offset));
            let offset =
                found.first().zip(lanes.first()).map_or(0, |(found, said)| found.1.wrapping_sub(said.1));
            if self.class() != Class::Atomic && !found.iter().copied().eq(shifted(offset)) {
                return Err(format!("{} says {lanes:x?}, but {} has {found:x?}", self.text(), text(access)));
            }
            taken.push(k);
        }
        for k in taken.iter().rev() {
            accesses.remove(*k);
        }
        if !taken.is_empty() {
            return Ok(true);
        }
        if self.class() == Class::Load {
            return Ok(false);
        }
        let behind: Vec<String> =
            accesses.iter().filter(|access| access.after == end).map(|access| text(access)).collect();
        Err(format!(
            "{} says {lanes:x?} and no access behind it fits; there are: {}",
            self.text(),
            behind.join(", ")
        ))
    }
}

fn is_lds(address: u64) -> bool {
    address >> 32 == SHARED_APERTURE >> 32
}

fn is_in(buffers: &[BufferOut], address: u64) -> bool {
    buffers
        .iter()
        .any(|buffer| (buffer.address..buffer.address + buffer.bytes.len() as u64).contains(&address))
}

fn is_private(address: u64) -> bool {
    address >> 32 == PRIVATE_APERTURE >> 32
}

fn text(access: &Access) -> String {
    let lanes: Vec<String> =
        access.lanes.iter().take(4).map(|(lane, address)| format!("{lane}: {address:#x}")).collect();
    format!(
        "{} of {} bytes at pc {:#x} behind record {} ({} lanes: {}…)",
        access.kind.as_str(),
        access.width,
        access.pc,
        access.after,
        access.lanes.len(),
        lanes.join(", ")
    )
}
