//! Words after headers: EXEC and a row of lanes, as kernels have them, or any words at all.

use sqtt_format::{AddressKind, Marker, WaveSize};

use super::{Plan, Random};

/// A traced memory operation of generated waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Traced {
    Lds,
    Global,
    Buffer,
    StructBuffer,
    Permute,
}

impl Traced {
    pub(super) const ALL: [Self; 5] =
        [Self::Lds, Self::Global, Self::Buffer, Self::StructBuffer, Self::Permute];

    /// Traced operations of a plan.
    pub(super) fn of(plan: &Plan) -> &'static [Self] {
        if plan.everything { &Self::ALL } else { &Self::ALL[..2] }
    }

    /// The operation of a number below five.
    pub(super) fn choose(plan: &Plan, number: u64) -> Self {
        match (plan.everything, number) {
            (true, _) => Self::ALL[number as usize],
            (false, 0..3) => Self::Lds,
            (false, _) => Self::Global,
        }
    }

    pub(super) fn kind(self) -> AddressKind {
        match self {
            Self::Lds => AddressKind::LdsLoad,
            Self::Global => AddressKind::Load,
            Self::Buffer => AddressKind::BufferLoad,
            Self::StructBuffer => AddressKind::StructBufferLoad,
            Self::Permute => AddressKind::DsBpermute,
        }
    }

    /// Its id in the map.
    pub(super) fn id(self, plan: &Plan) -> u32 {
        plan.first_id
            + match self {
                Self::Lds => 5,
                Self::Global => 6,
                Self::Buffer => 8,
                Self::StructBuffer => 9,
                Self::Permute => 10,
            }
    }

    pub(super) fn source(self) -> &'static str {
        match self {
            Self::Lds => "/src/k.hip:50",
            Self::Global => "/src/h.h:7 -> /src/k.hip:51",
            Self::Buffer => "/src/k.hip:52",
            Self::StructBuffer => "/src/k.hip:53",
            Self::Permute => "/src/k.hip:54",
        }
    }

    /// The words behind its header.
    pub(super) fn block(self, plan: &Plan, random: &mut Random) -> Vec<u32> {
        let count = self.kind().payload_count(plan.wave) as usize;
        if plan.everything && random.below(2) == 0 {
            return any_words(plan, count, random);
        }
        let exec = match plan.wave {
            WaveSize::Wave32 => random.bits() & 0xFFFF_FFFF | 1,
            WaveSize::Wave64 => random.bits() | 1,
        };
        let mut words: Vec<u32> = halves(exec).into_iter().chain(self.row(plan, random)).collect();
        if plan.everything {
            // What lanes that are not active hold is left over from something else.
            let lanes = plan.wave.lanes() as usize;
            let first = words.len() - (words.len() - 2) / lanes * lanes;
            let left_over = any_words(plan, words.len(), random);
            for at in first..words.len() {
                let lane = if self == Self::Global { (at - first) / 2 } else { (at - first) % lanes };
                if exec >> lane & 1 == 0 {
                    words[at] = left_over[at];
                }
            }
        }
        words
    }

    /// Lanes of one stride, or what a permute asks for.
    fn row(self, plan: &Plan, random: &mut Random) -> Vec<u32> {
        let lanes = u64::from(plan.wave.lanes());
        match self {
            Self::Lds => {
                let base = random.below(64) * 4;
                (0..lanes).map(|lane| (base + lane * 4) as u32).collect()
            }
            Self::Global => {
                let base = global_base(plan, random) + random.below(1 << 30) * 4;
                let stride = 4 << random.below(6);
                (0..lanes).flat_map(|lane| halves(base + lane * stride)).collect()
            }
            Self::Buffer => {
                let (base, stride) = (random.below(256) * 4, 4 << random.below(5));
                let offsets = (0..lanes).map(|lane| (base + lane * stride) as u32);
                descriptor(plan, random).into_iter().chain(offsets).collect()
            }
            Self::StructBuffer => {
                // All lanes access one member of the elements that are theirs.
                let member = (random.below(8) * 4) as u32;
                let first = (random.below(64) * lanes) as u32;
                let indices = (0..lanes as u32).map(|lane| first + lane);
                let offsets = std::iter::repeat_n(member, lanes as usize);
                descriptor(plan, random).into_iter().chain(offsets).chain(indices).collect()
            }
            Self::Permute => {
                let (distance, last) = (1 << random.below(5), lanes - 1);
                (0..lanes).map(|lane| (((lane + distance) & last) * 4) as u32).collect()
            }
        }
    }
}

/// Base of buffers: where Linux has them, and, for everything, where high halves look like headers.
fn global_base(plan: &Plan, random: &mut Random) -> u64 {
    const HIGH: [u64; 6] = [0x7F12, 0x7FFF, 0xC, 0x10, 0x4, 0xFFFF_8000];
    HIGH[if plan.everything { random.below(6) as usize } else { 0 }] << 32
}

fn halves(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Half of a buffer's descriptor, with elements of 16 bytes, and the offset that all lanes share.
fn descriptor(plan: &Plan, random: &mut Random) -> [u32; 3] {
    let [low, high] = halves(global_base(plan, random) + random.below(1 << 24) * 256);
    [low, high & 0xFFFF | 16 << 16, (random.below(4) * 64) as u32]
}

/// Words that a register may hold: anything, zeros, headers of the map in any order, scopes that open and close, or
/// whole data markers.
pub(super) fn any_words(plan: &Plan, count: usize, random: &mut Random) -> Vec<u32> {
    let kind = random.below(5);
    let mut word = |at: usize| {
        let id = plan.first_id + random.below(11) as u32;
        let marker = match (kind, at % 2) {
            (0, _) => return random.bits() as u32,
            (1, _) => return 0,
            (2, _) => return id << 2 | random.below(4) as u32,
            (3, 0) => Marker::enter(plan.first_id),
            (4, 0) => Marker::point(plan.first_id + 4),
            _ => Marker::EXIT,
        };
        marker.to_word().unwrap_or_default()
    };
    (0..count).map(&mut word).collect()
}
