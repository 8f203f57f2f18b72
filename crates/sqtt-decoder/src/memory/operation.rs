//! One traced operation: the address of each of its lanes, or why there is none.

use serde::Serialize;
use sqtt_format::{AddressKind, BlockLayout, Entry};

use super::{DescriptorLayout, LdsKind, WIDEST_ACCESS};
use crate::payload::{AddressBlock, Buffer, Lane};
use crate::stream::{Event, EventKind, Wave};

/// Space of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Memory behind the caches. Addresses of flat operations may be of LDS or scratch all the same.
    Memory,
    /// LDS: byte offsets in the workgroup's part.
    Lds,
    /// Lanes of the wave: `ds_permute` and `ds_bpermute`, four bytes per lane.
    Lanes,
}

/// Why an operation has no addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoAddress {
    /// The buffer is swizzled, by an element size and an index stride that are not traced.
    Swizzled,
    /// The layout of the target's descriptors is not known, or its stride is not traced.
    UnknownLayout,
}

impl NoAddress {
    /// `swizzled` or `unknown_layout`, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NoAddress::Swizzled => "swizzled",
            NoAddress::UnknownLayout => "unknown_layout",
        }
    }
}

/// A lane that took part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaneAccess {
    /// Its number.
    pub lane: u32,
    /// The first byte that it accesses.
    pub address: Option<u64>,
}

/// One traced operation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Operation<'a> {
    /// Its words.
    pub block: AddressBlock<'a>,
    /// The row of its funcmap.
    pub entry: &'a Entry,
    /// Its marker id.
    pub marker_id: u32,
    /// Bytes that a lane accesses, where `.sqtt_config` says it.
    pub access_bytes: Option<u32>,
    /// Layout of its target's descriptors.
    pub layout: DescriptorLayout,
}

impl<'a> Operation<'a> {
    /// The operation of an event; `None` where it is another one, or its words were lost. `gfxip` is what
    /// the trace folder says of the GPU.
    #[must_use]
    pub fn of(wave: &Wave<'_>, event: &Event<'a>, gfxip: Option<u32>) -> Option<Self> {
        if event.kind != EventKind::Point {
            return None;
        }
        let entry = event.entry?;
        let block = AddressBlock::new(entry, event.payload)?;
        let map = wave.map();
        let marker_id = event.marker.id;
        let access_bytes = map.and_then(|map| map.access_bytes(marker_id));
        let layout = DescriptorLayout::of(map.and_then(|map| map.target()), gfxip);
        let access_bytes = access_bytes.filter(|bytes| (1..=WIDEST_ACCESS).contains(bytes));
        Some(Self { block, entry, marker_id, access_bytes, layout })
    }

    /// Kind of operation, such as `load` or `lds_store`: the name in the funcmap without `addr_trace_`.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        let name = self.block.kind.name();
        name.strip_prefix(AddressKind::PREFIX).unwrap_or(name)
    }

    /// Space of its addresses.
    #[must_use]
    pub fn space(&self) -> Space {
        match self.block.kind {
            AddressKind::LdsLoad | AddressKind::LdsStore | AddressKind::LdsAtomic => Space::Lds,
            AddressKind::DsPermute | AddressKind::DsBpermute => Space::Lanes,
            _ => Space::Memory,
        }
    }

    /// Its sort, if its addresses are of LDS.
    #[must_use]
    pub fn lds_kind(&self) -> Option<LdsKind> {
        match self.block.kind {
            AddressKind::LdsLoad => Some(LdsKind::Read),
            AddressKind::LdsStore => Some(LdsKind::Write),
            AddressKind::LdsAtomic => Some(LdsKind::Atomic),
            _ => None,
        }
    }

    /// True if it accesses structures of a buffer, by their index.
    #[must_use]
    pub fn is_structured(&self) -> bool {
        self.block.kind.layout() == BlockLayout::StructBuffer
    }

    /// Why its lanes have no addresses; `None` where they have. Only buffers may have none.
    #[must_use]
    pub fn no_address(&self) -> Option<NoAddress> {
        let high = self.block.buffer?.descriptor[1];
        let is_structured = self.is_structured();
        match self.layout {
            DescriptorLayout::SwizzleBit => (high >> 31 != 0).then_some(NoAddress::Swizzled),
            DescriptorLayout::SwizzleBits => (high >> 30 != 0).then_some(NoAddress::Swizzled),
            // Without a stride, and with a base that 48 bits hold, all layouts mean the same.
            DescriptorLayout::LongBase => {
                (is_structured || high >> 16 & 0x1FF != 0).then_some(NoAddress::UnknownLayout)
            }
            DescriptorLayout::Unknown => {
                (is_structured || high >> 30 != 0).then_some(NoAddress::UnknownLayout)
            }
        }
    }

    /// Bytes from one structure to the next, where the target has them in a word that is traced.
    #[must_use]
    pub fn stride(&self) -> Option<u32> {
        let known = matches!(self.layout, DescriptorLayout::SwizzleBit | DescriptorLayout::SwizzleBits);
        self.block.buffer.filter(|_| known).map(Buffer::stride)
    }

    /// The lanes that took part, by number. Structured buffers: base + soffset + vindex · stride + voffset.
    /// Raw ones: base + soffset + voffset.
    pub fn lanes(&self) -> impl Iterator<Item = LaneAccess> + '_ {
        let has_address = self.no_address().is_none();
        let stride = u64::from(self.stride().unwrap_or_default());
        let buffer = self.block.buffer;
        let start = buffer.map_or(0, |buffer| buffer.base() + u64::from(buffer.soffset));
        self.block.active_lanes().map(move |(lane, access)| {
            let address = match access {
                Lane::Address(address) => address,
                // 48 bits and two products of at most 46: no overflow.
                Lane::Structured { voffset, vindex } => {
                    start + u64::from(vindex) * stride + u64::from(voffset)
                }
            };
            LaneAccess { lane, address: has_address.then_some(address) }
        })
    }
}
