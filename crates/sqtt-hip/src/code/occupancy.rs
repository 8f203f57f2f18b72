//! Occupancy: how many workgroups of a kernel a multiprocessor holds at a time.
//!
//! Registers and LDS come in blocks; LLVM's AMDGPU documentation and AMD's ISA documents say their sizes. Scalar
//! registers limit none of the simulated targets.

use sqtt_sim::KernelInfo;

use crate::device::hardware::Hardware;

/// LDS is given out in blocks of this many bytes.
const LDS_BLOCK: usize = 512;

/// Waves of a kernel that one SIMD holds.
fn waves(hardware: &Hardware, info: &KernelInfo) -> u32 {
    let row = usize::from(info.wave_size == 32);
    let block = hardware.vgpr_block[row];
    let registers = info.vgpr_count.max(1).next_multiple_of(block);
    (hardware.vgprs[row] / registers).min(hardware.waves)
}

/// Workgroups of `items` work-items that one multiprocessor holds.
pub(crate) fn resident_blocks(hardware: &Hardware, info: &KernelInfo, items: u32, shared: usize) -> u32 {
    if items == 0 || items > info.max_workgroup_size {
        return 0;
    }
    let own = items.div_ceil(info.wave_size);
    let by_registers = waves(hardware, info) * hardware.simds / own;
    let lds = (info.lds_size as usize + shared).next_multiple_of(LDS_BLOCK);
    let by_lds = hardware.lds_of_unit.checked_div(lds).unwrap_or(usize::MAX);
    by_registers.min(u32::try_from(by_lds).unwrap_or(u32::MAX))
}

/// The number of work-items of a workgroup with which the most are on a multiprocessor, the largest such one; and the
/// workgroups that fill the device.
pub(crate) fn best_block(
    hardware: &Hardware,
    info: &KernelInfo,
    shared: impl Fn(u32) -> usize,
    limit: u32,
) -> (u32, u32) {
    let limit = match limit {
        0 => info.max_workgroup_size,
        limit => limit.min(info.max_workgroup_size),
    };
    let sizes = (1..=limit / info.wave_size).map(|waves| waves * info.wave_size);
    let with_blocks = |items| (items, resident_blocks(hardware, info, items, shared(items)));
    let best = sizes.chain([limit]).map(with_blocks).max_by_key(|&(items, blocks)| (items * blocks, items));
    let (items, blocks) = best.unwrap_or((limit, 0));
    (items, blocks * hardware.units.cast_unsigned())
}
