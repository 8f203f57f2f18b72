//! The names of the pass's own points, and the number of payload words after them
//! (specification, "Address Tracing" and "Barrier marker placement").

/// Payload words after the header of a named data marker (`sqtt_marker_data`).
pub const DATA_PAYLOAD_COUNT: u32 = 1;

/// Lanes per wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaveSize {
    /// 32 lanes.
    Wave32,
    /// 64 lanes.
    Wave64,
}

impl WaveSize {
    /// Both of them.
    pub const ALL: [WaveSize; 2] = [WaveSize::Wave32, WaveSize::Wave64];

    /// 32 or 64.
    #[must_use]
    pub const fn lanes(self) -> u32 {
        match self {
            WaveSize::Wave32 => 32,
            WaveSize::Wave64 => 64,
        }
    }

    /// The wave size with that many lanes.
    #[must_use]
    pub const fn from_lanes(lanes: u32) -> Option<Self> {
        match lanes {
            32 => Some(WaveSize::Wave32),
            64 => Some(WaveSize::Wave64),
            _ => None,
        }
    }
}

/// An enum whose variants are names in the funcmap.
macro_rules! named {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $variant:ident $name:literal;)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$doc])* $variant,)*
        }

        impl $kind {
            /// All of them.
            pub const ALL: [$kind; [$($name),*].len()] = [$($kind::$variant),*];

            /// Its name in the funcmap.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $($kind::$variant => $name,)*
                }
            }

            /// The one of that exact name.
            #[must_use]
            pub fn from_name(name: &[u8]) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name().as_bytes() == name)
            }
        }
    };
}

named! {
    /// A point that the pass adds by itself, once per code object, without a source location. Ids are given in this
    /// order.
    SystemPoint {
        /// `s_barrier_signal` without its wait.
        BarrierSignal "barrier_signal";
        /// `s_barrier_wait` without its signal.
        BarrierWait "barrier_wait";
        /// `s_barrier`, or signal and wait together.
        Barrier "barrier";
        /// `s_barrier_join`: the wave becomes a member of a named barrier.
        BarrierJoin "barrier_join";
        /// `s_barrier_leave`: it is one no longer.
        BarrierLeave "barrier_leave";
        /// A sequence of memory loads.
        VmemLoad "vmem_load";
        /// A sequence of memory stores or atomics.
        VmemStore "vmem_store";
    }
}

named! {
    /// A kind of traced memory operation: what its point is called, and with that the shape of the payload behind it.
    AddressKind {
        /// Flat or global load.
        Load "addr_trace_load";
        /// Flat or global store.
        Store "addr_trace_store";
        /// Flat or global atomic.
        Atomic "addr_trace_atomic";
        /// LDS load.
        LdsLoad "addr_trace_lds_load";
        /// LDS store.
        LdsStore "addr_trace_lds_store";
        /// LDS atomic.
        LdsAtomic "addr_trace_lds_atomic";
        /// Raw buffer load.
        BufferLoad "addr_trace_buffer_load";
        /// Raw buffer store.
        BufferStore "addr_trace_buffer_store";
        /// Raw buffer atomic.
        BufferAtomic "addr_trace_buffer_atomic";
        /// Struct buffer load.
        StructBufferLoad "addr_trace_struct_buffer_load";
        /// Struct buffer store.
        StructBufferStore "addr_trace_struct_buffer_store";
        /// Struct buffer atomic.
        StructBufferAtomic "addr_trace_struct_buffer_atomic";
        /// `ds_permute`.
        DsPermute "addr_trace_ds_permute";
        /// `ds_bpermute`.
        DsBpermute "addr_trace_ds_bpermute";
    }
}

/// The layout of an address block's words. Every block starts with the two halves of EXEC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockLayout {
    /// Per lane the low and the high half of a 64-bit address.
    Wide,
    /// Per lane one word: a 32-bit address, or the index of a permute.
    Narrow,
    /// `rsrc_lo`, `rsrc_hi`, `soffset`, then per lane `voffset`.
    Buffer,
    /// The words of [`BlockLayout::Buffer`], then per lane `vindex`.
    StructBuffer,
}

impl BlockLayout {
    /// Words for EXEC, at the head of every block.
    pub const EXEC_WORDS: u32 = 2;

    /// Words between EXEC and the first lane: the descriptor and offset of a buffer operation.
    #[must_use]
    pub const fn fixed_words(self) -> u32 {
        match self {
            BlockLayout::Wide | BlockLayout::Narrow => 0,
            BlockLayout::Buffer | BlockLayout::StructBuffer => 3,
        }
    }

    /// Words per lane.
    #[must_use]
    pub const fn words_per_lane(self) -> u32 {
        match self {
            BlockLayout::Narrow | BlockLayout::Buffer => 1,
            BlockLayout::Wide | BlockLayout::StructBuffer => 2,
        }
    }

    /// Words after the header: what `extra_payload_count` says of such a block.
    #[must_use]
    pub const fn payload_count(self, wave: WaveSize) -> u32 {
        Self::EXEC_WORDS + self.fixed_words() + self.words_per_lane() * wave.lanes()
    }

    /// The wave size that a block with that many payload words was written for. One code object may
    /// hold kernels of both sizes, so the count of a block says more than the `W:` row of its map.
    #[must_use]
    pub fn wave_size(self, payload_count: u32) -> Option<WaveSize> {
        WaveSize::ALL.into_iter().find(|&wave| self.payload_count(wave) == payload_count)
    }
}

impl AddressKind {
    /// The start of all kinds' names.
    pub const PREFIX: &'static str = "addr_trace_";

    /// The layout of its block.
    #[must_use]
    pub const fn layout(self) -> BlockLayout {
        match self {
            AddressKind::Load | AddressKind::Store | AddressKind::Atomic => BlockLayout::Wide,
            AddressKind::LdsLoad
            | AddressKind::LdsStore
            | AddressKind::LdsAtomic
            | AddressKind::DsPermute
            | AddressKind::DsBpermute => BlockLayout::Narrow,
            AddressKind::BufferLoad | AddressKind::BufferStore | AddressKind::BufferAtomic => {
                BlockLayout::Buffer
            }
            AddressKind::StructBufferLoad
            | AddressKind::StructBufferStore
            | AddressKind::StructBufferAtomic => BlockLayout::StructBuffer,
        }
    }

    /// Payload words behind its header.
    #[must_use]
    pub const fn payload_count(self, wave: WaveSize) -> u32 {
        self.layout().payload_count(wave)
    }
}
