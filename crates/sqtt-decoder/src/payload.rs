//! Payload words as what they are: the addresses of a traced memory operation
//! (specification, "Address Tracing"), or the values of a data marker ("User Marker API").

use sqtt_format::{AddressKind, BlockLayout, Entry, WaveSize};

use crate::stream::Event;

/// The words of a data marker: of every marker with payload that is no traced memory operation. `None` for
/// other events, and where words were lost.
#[must_use]
pub fn data_values<'a>(event: &Event<'a>) -> Option<&'a [u32]> {
    let is_block = event.entry.is_some_and(|entry| entry.address_block().is_some());
    (!event.payload.is_empty() && !is_block).then_some(event.payload)
}

/// The block behind an `addr_trace_…` point.
///
/// ```
/// use sqtt_decoder::payload::{AddressBlock, Lane};
/// use sqtt_format::{AddressKind, Entry, WaveSize};
///
/// let entry = Entry::address(6, AddressKind::LdsLoad, WaveSize::Wave32);
/// let mut words = vec![0b101, 0];
/// words.extend((0..32).map(|lane| lane * 4));
/// let block = AddressBlock::new(&entry, &words).unwrap();
/// let lanes: Vec<_> = block.active_lanes().collect();
/// assert_eq!(lanes, [(0, Lane::Address(0)), (2, Lane::Address(8))]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressBlock<'a> {
    /// Kind of traced address.
    pub kind: AddressKind,
    /// Number of lanes, from the block's length, not from the code object's `W:` row.
    pub wave_size: WaveSize,
    /// Lanes that took part: bit 0 is lane 0.
    pub exec: u64,
    /// Descriptor and offset of a buffer operation.
    pub buffer: Option<Buffer>,
    lanes: &'a [u32],
}

/// Parts that all lanes of a buffer operation have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Buffer {
    /// Words 0 and 1 of the descriptor.
    pub descriptor: [u32; 2],
    /// The scalar offset.
    pub soffset: u32,
}

impl Buffer {
    /// Bits 47 to 0 of the descriptor: the address where the buffer starts.
    #[must_use]
    pub const fn base(self) -> u64 {
        (self.descriptor[0] as u64 | (self.descriptor[1] as u64) << 32) & 0xFFFF_FFFF_FFFF
    }

    /// Bits 61 to 48 of the descriptor: bytes from one structure to the next, in layouts that have them
    /// there ([`DescriptorLayout`](crate::memory::DescriptorLayout)).
    #[must_use]
    pub const fn stride(self) -> u32 {
        self.descriptor[1] >> 16 & 0x3FFF
    }
}

/// Access of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// An address: of memory, of LDS, or, for a permute, the byte offset of the other lane.
    Address(u64),
    /// The components of a structured buffer's address.
    Structured {
        /// Byte offset in the structure.
        voffset: u32,
        /// Index of the structure.
        vindex: u32,
    },
}

impl<'a> AddressBlock<'a> {
    /// The block that `entry` announces; `None` where it announces none, or where `payload` has another
    /// length.
    #[must_use]
    pub fn new(entry: &Entry, payload: &'a [u32]) -> Option<Self> {
        let (kind, wave_size) = entry.address_block()?;
        if payload.len() as u64 != u64::from(kind.payload_count(wave_size)) {
            return None;
        }
        let [exec_low, exec_high, rest @ ..] = payload else { return None };
        let (buffer, lanes) = match (kind.layout(), rest) {
            (BlockLayout::Buffer | BlockLayout::StructBuffer, [low, high, soffset, lanes @ ..]) => {
                (Some(Buffer { descriptor: [*low, *high], soffset: *soffset }), lanes)
            }
            (BlockLayout::Wide | BlockLayout::Narrow, lanes) => (None, lanes),
            _ => return None,
        };
        let exec = u64::from(*exec_low) | u64::from(*exec_high) << 32;
        Some(Self { kind, wave_size, exec, buffer, lanes })
    }

    /// Access of a lane, whether it took part or not: the words of a lane that did not mean nothing.
    fn lane(&self, lane: usize) -> Option<Lane> {
        let lanes = self.wave_size.lanes() as usize;
        let word = |at: usize| self.lanes.get(at).copied();
        match (self.kind.layout(), self.buffer) {
            (BlockLayout::Wide, _) => {
                let (low, high) = (word(lane * 2)?, word(lane * 2 + 1)?);
                Some(Lane::Address(u64::from(low) | u64::from(high) << 32))
            }
            (BlockLayout::Narrow, _) => Some(Lane::Address(word(lane)?.into())),
            (BlockLayout::Buffer, Some(buffer)) => {
                let offset = u64::from(buffer.soffset) + u64::from(word(lane)?);
                Some(Lane::Address(buffer.base() + offset))
            }
            (BlockLayout::StructBuffer, Some(_)) => {
                Some(Lane::Structured { voffset: word(lane)?, vindex: word(lanes + lane)? })
            }
            _ => None,
        }
    }

    /// Active lanes of a buffer operation, by number: byte offset, and index of the structure where the buffer
    /// is a structured one. Nothing of other operations.
    pub fn active_offsets(&self) -> impl Iterator<Item = (u32, u32, Option<u32>)> + '_ {
        let is_structured = self.kind.layout() == BlockLayout::StructBuffer;
        let lanes = self.wave_size.lanes();
        let active = (0..lanes).filter(|lane| self.buffer.is_some() && self.exec >> lane & 1 != 0);
        active.filter_map(move |lane| {
            let voffset = self.lanes.get(lane as usize).copied()?;
            let vindex = if is_structured { Some(*self.lanes.get((lanes + lane) as usize)?) } else { None };
            Some((lane, voffset, vindex))
        })
    }

    /// Number of lanes that took part.
    #[must_use]
    pub fn active_lane_count(&self) -> u32 {
        let all = u64::MAX >> (64 - self.wave_size.lanes());
        (self.exec & all).count_ones()
    }

    /// The lanes that took part, by number, and what they accessed.
    pub fn active_lanes(&self) -> impl Iterator<Item = (u32, Lane)> + '_ {
        (0..self.wave_size.lanes())
            .filter(|lane| self.exec >> lane & 1 != 0)
            .filter_map(|lane| Some((lane, self.lane(lane as usize)?)))
    }
}
