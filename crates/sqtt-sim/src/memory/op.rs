//! The effect of a memory instruction at each lane's address.

/// Extension and placement of a loaded value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ext {
    None,
    Zero,
    Sign,
    /// Into the low half, the high half kept.
    D16Lo {
        signed: bool,
    },
    /// Into the high half, the low half kept.
    D16Hi {
        signed: bool,
    },
}

/// Read-modify-write: `(old, data, compare) → new`.
pub(crate) type Rmw = fn(u64, u64, u64) -> u64;

/// The operation of a memory instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MemOp {
    None,
    Load {
        bytes: u8,
        ext: Ext,
    },
    Store {
        bytes: u8,
        high: bool,
    },
    /// `open` asks [`crate::ops::atomic::unsettled`] first.
    Atomic {
        bytes: u8,
        f: Rmw,
        compare: bool,
        open: bool,
    },
}

impl MemOp {
    pub(crate) const NONE: MemOp = MemOp::None;

    pub(crate) fn bytes(self) -> u32 {
        match self {
            MemOp::None => 0,
            MemOp::Load { bytes, .. } | MemOp::Store { bytes, .. } | MemOp::Atomic { bytes, .. } => {
                u32::from(bytes)
            }
        }
    }
}
