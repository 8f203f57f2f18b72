//! The hardware that each target stands for: one product of each, by AMD's published specifications.

use sqtt_sim::Target;

/// The numbers of a GPU that HIP tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hardware {
    pub(crate) target: Target,
    pub(crate) product: &'static str,
    /// Multiprocessors as HIP counts them: compute units, and workgroup processors from gfx10 on.
    pub(crate) units: i32,
    pub(crate) memory: usize,
    pub(crate) clock_khz: i32,
    pub(crate) memory_clock_khz: i32,
    pub(crate) memory_bits: i32,
    pub(crate) l2: i32,
    pub(crate) warp: i32,
    /// Bytes of LDS that one workgroup can have.
    pub(crate) lds: usize,
    /// Bytes of LDS that the workgroups of one multiprocessor share.
    pub(crate) lds_of_unit: usize,
    /// Vector registers of 32 bits that one lane of a SIMD's waves share, for waves of 64 and of 32 lanes.
    pub(crate) vgprs: [u32; 2],
    /// Vector registers come in blocks of this many, for waves of 64 and of 32 lanes.
    pub(crate) vgpr_block: [u32; 2],
    /// Waves of one SIMD.
    pub(crate) waves: u32,
    /// SIMDs of a multiprocessor.
    pub(crate) simds: u32,
    /// The rate of the constant clock that `wall_clock64` counts.
    pub(crate) wall_clock_khz: i32,
}

const GIB: usize = 1 << 30;
const MIB: i32 = 1 << 20;

const CDNA: Hardware = Hardware {
    target: Target::Gfx90a,
    product: "AMD Instinct MI210",
    units: 104,
    memory: 64 * GIB,
    clock_khz: 1_700_000,
    memory_clock_khz: 1_600_000,
    memory_bits: 4096,
    l2: 8 * MIB,
    warp: 64,
    lds: 64 << 10,
    lds_of_unit: 64 << 10,
    vgprs: [512, 512],
    vgpr_block: [8, 8],
    waves: 8,
    simds: 4,
    wall_clock_khz: 100_000,
};

const RDNA: Hardware = Hardware {
    target: Target::Gfx1100,
    product: "AMD Radeon RX 7900 XTX",
    units: 48,
    memory: 24 * GIB,
    clock_khz: 2_500_000,
    memory_clock_khz: 1_249_000,
    memory_bits: 384,
    l2: 6 * MIB,
    warp: 32,
    lds: 64 << 10,
    lds_of_unit: 128 << 10,
    vgprs: [768, 1536],
    vgpr_block: [12, 24],
    waves: 16,
    simds: 4,
    wall_clock_khz: 100_000,
};

impl Hardware {
    /// The product that stands for a target.
    pub(crate) fn of(target: Target) -> Hardware {
        match target.name() {
            "gfx942" => Hardware {
                target,
                product: "AMD Instinct MI300X",
                units: 304,
                memory: 192 * GIB,
                clock_khz: 2_100_000,
                memory_clock_khz: 1_300_000,
                memory_bits: 8192,
                l2: 4 * MIB,
                ..CDNA
            },
            "gfx950" => Hardware {
                target,
                product: "AMD Instinct MI355X",
                units: 256,
                memory: 288 * GIB,
                clock_khz: 2_400_000,
                memory_clock_khz: 2_000_000,
                memory_bits: 8192,
                l2: 4 * MIB,
                lds: 160 << 10,
                lds_of_unit: 160 << 10,
                ..CDNA
            },
            "gfx1030" => Hardware {
                target,
                product: "AMD Radeon RX 6900 XT",
                units: 40,
                memory: 16 * GIB,
                clock_khz: 2_250_000,
                memory_clock_khz: 1_000_000,
                memory_bits: 256,
                l2: 4 * MIB,
                vgprs: [512, 1024],
                vgpr_block: [8, 16],
                ..RDNA
            },
            "gfx1200" => Hardware {
                target,
                product: "AMD Radeon RX 9060 XT",
                units: 16,
                memory: 16 * GIB,
                clock_khz: 3_130_000,
                memory_clock_khz: 1_258_000,
                memory_bits: 128,
                l2: 4 * MIB,
                ..RDNA
            },
            "gfx1201" => Hardware {
                target,
                product: "AMD Radeon RX 9070 XT",
                units: 32,
                memory: 16 * GIB,
                clock_khz: 2_970_000,
                memory_clock_khz: 1_258_000,
                memory_bits: 256,
                l2: 8 * MIB,
                ..RDNA
            },
            _ if target.generation() == 9 => Hardware { target, ..CDNA },
            _ => Hardware { target, ..RDNA },
        }
    }

    /// Bytes of device memory that a program can have here: no more than the machine has.
    pub(crate) fn usable_memory(&self) -> usize {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
        let kib: Option<usize> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        kib.map_or(self.memory, |kib| self.memory.min(kib << 10))
    }

    /// The major and minor compute capability: `gfx942` has 9 and 4.
    pub(crate) fn capability(&self) -> (i32, i32) {
        let digits: Vec<i32> = self.target.name().bytes().rev().map(|byte| i32::from(byte) - 48).collect();
        (i32::from(self.target.generation()), digits.get(1).copied().unwrap_or(0))
    }

    /// The architecture's name with the features that change code: `gfx942:sramecc+:xnack-`.
    pub(crate) fn architecture(&self) -> String {
        let features = if self.target.generation() == 9 { ":sramecc+:xnack-" } else { "" };
        format!("{}{features}", self.target.name())
    }

    /// Work-items that fit on one multiprocessor.
    pub(crate) fn items_of_unit(&self) -> i32 {
        self.warp * i32::try_from(self.waves * self.simds).unwrap_or(32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_its_own_product() {
        let mut products: Vec<_> = Target::ALL.iter().map(|&target| Hardware::of(target).product).collect();
        products.sort_unstable();
        products.dedup();
        assert_eq!(products.len(), Target::ALL.len());
        for target in Target::ALL {
            assert_eq!(Hardware::of(target).items_of_unit(), 2048);
            assert_eq!(Hardware::of(target).target, target);
        }
        assert_eq!(Hardware::of(Target::Gfx942).capability(), (9, 4));
        assert_eq!(Hardware::of(Target::Gfx1030).capability(), (10, 3));
        assert_eq!(Hardware::of(Target::Gfx90a).capability(), (9, 0));
    }
}
