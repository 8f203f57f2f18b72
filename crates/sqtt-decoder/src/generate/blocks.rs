//! What traced memory operations write: EXEC and a row of lanes, as kernels have them.

use sqtt_format::{AddressKind, WaveSize};

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

    /// The operation of a number below five.
    pub(super) fn choose(plan: &Plan, number: u64) -> Self {
        match (plan.buffers, number) {
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
    pub(super) fn id(self) -> u32 {
        match self {
            Self::Lds => 6,
            Self::Global => 7,
            Self::Buffer => 9,
            Self::StructBuffer => 10,
            Self::Permute => 11,
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
        let lanes = u64::from(plan.wave.lanes());
        let block = if plan.irregular && random.below(2) == 0 {
            let exec = exec(plan.wave, random);
            let row = self.row_without_a_pattern(lanes, exec, random);
            (exec, row)
        } else {
            let exec = match plan.wave {
                WaveSize::Wave32 => random.bits() & 0xFFFF_FFFF | 1,
                WaveSize::Wave64 => random.bits() | 1,
            };
            (exec, self.row(lanes, random))
        };
        let (exec, row) = block;
        [exec as u32, (exec >> 32) as u32].into_iter().chain(row).collect()
    }

    /// Lanes of one stride, or what a permute asks for.
    fn row(self, lanes: u64, random: &mut Random) -> Vec<u32> {
        match self {
            Self::Lds => {
                let base = random.below(64) * 4;
                (0..lanes).map(|lane| (base + lane * 4) as u32).collect()
            }
            Self::Global => {
                let base = global_base(random);
                let stride = 4 << random.below(6);
                (0..lanes).flat_map(|lane| halves(base + lane * stride)).collect()
            }
            Self::Buffer => {
                let (base, stride) = (random.below(256) * 4, 4 << random.below(5));
                let offsets = (0..lanes).map(|lane| (base + lane * stride) as u32);
                descriptor(random).into_iter().chain(offsets).collect()
            }
            Self::StructBuffer => {
                // All lanes access one member of the elements that are theirs.
                let member = (random.below(8) * 4) as u32;
                let first = (random.below(64) * lanes) as u32;
                let indices = (0..lanes as u32).map(|lane| first + lane);
                let offsets = std::iter::repeat_n(member, lanes as usize);
                descriptor(random).into_iter().chain(offsets).chain(indices).collect()
            }
            Self::Permute => {
                let (distance, last) = (1 << random.below(5), lanes - 1);
                let from: fn(u64, u64, u64) -> u64 = match random.below(3) {
                    0 => |lane, distance, _| lane ^ distance,
                    1 => |lane, distance, last| (lane + distance).min(last),
                    _ => |lane, distance, last| (lane + distance) & last,
                };
                (0..lanes).map(|lane| (from(lane, distance, last) * 4) as u32).collect()
            }
        }
    }

    /// Active lanes all over memory; what is not active holds anything.
    fn row_without_a_pattern(self, lanes: u64, exec: u64, random: &mut Random) -> Vec<u32> {
        let is_active = |lane: u64| exec >> lane & 1 != 0;
        let each = |random: &mut Random, word: &mut dyn FnMut(&mut Random) -> u32| -> Vec<u32> {
            (0..lanes).map(|lane| if is_active(lane) { word(random) } else { left_over(random) }).collect()
        };
        match self {
            Self::Lds => each(random, &mut |random| (random.below(1 << 14) * 4) as u32),
            Self::Global => {
                let base = global_base(random);
                let address = |lane: u64| match is_active(lane) {
                    false => [left_over(random), left_over(random)],
                    true => halves(base + random.below(1 << 28) * 4),
                };
                (0..lanes).flat_map(address).collect()
            }
            Self::Buffer => {
                let head = descriptor(random);
                let offsets = each(random, &mut |random| (random.below(1 << 20) * 4) as u32);
                head.into_iter().chain(offsets).collect()
            }
            Self::StructBuffer => {
                let head = descriptor(random);
                let member = (random.below(8) * 4) as u32;
                let offsets = each(random, &mut |_| member);
                let indices = each(random, &mut |random| random.below(1 << 12) as u32);
                head.into_iter().chain(offsets).chain(indices).collect()
            }
            Self::Permute => each(random, &mut |random| (random.below(lanes) * 4) as u32),
        }
    }
}

fn global_base(random: &mut Random) -> u64 {
    0x7F12_0000_0000 + random.below(1 << 30) * 4
}

fn halves(address: u64) -> [u32; 2] {
    [address as u32, (address >> 32) as u32]
}

/// Half of a buffer's descriptor, with elements of 16 bytes, and the offset that all lanes share.
fn descriptor(random: &mut Random) -> [u32; 3] {
    let base = 0x7F12_0000_0000 + random.below(1 << 24) * 256;
    let [low, high] = halves(base);
    [low, high | 16 << 16, (random.below(4) * 64) as u32]
}

/// All lanes, most of them, or half: never none.
fn exec(wave: WaveSize, random: &mut Random) -> u64 {
    let mut half = || {
        let (one, another) = (random.bits() as u32, random.bits() as u32);
        u64::from(match random.below(3) {
            0 => u32::MAX,
            1 => one | another,
            _ => one,
        })
    };
    match wave {
        WaveSize::Wave32 => 1 | half(),
        WaveSize::Wave64 => 1 | half() | half() << 32,
    }
}

/// What a register of a lane that is not active may hold: nothing yet, an index, an address, a float.
fn left_over(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 0,
        1 => random.below(64) as u32,
        2 => random.below(1 << 16) as u32 & !3,
        _ => random.bits() as u32,
    }
}
