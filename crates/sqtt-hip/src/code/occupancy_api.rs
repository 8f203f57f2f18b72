//! Functions that ask for occupancy.

use super::occupancy::{best_block, resident_blocks};
use super::registry::Kernel;
use crate::call::api;
use crate::error::{Code, Status};
use crate::raw::Out;
use crate::runtime::{Runtime, lock};

fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A question about a kernel, whose handle the function finds.
type Find = fn(&Runtime, usize) -> Result<Kernel, Code>;

const OF_HOST: Find = Runtime::kernel_of;
const OF_MODULE: Find = Runtime::kernel_of_handle;

fn blocks(find: Find, out: Out<i32>, function: usize, items: i32, shared: usize) -> Status {
    let items = u32::try_from(items).ok().filter(|&items| items > 0).ok_or(Code::INVALID_VALUE)?;
    let mut state = lock();
    let kernel = find(&state, function)?;
    let info = state.info(&kernel)?;
    out.set(int(resident_blocks(&state.hardware, &info, items, shared)))
}

fn best(
    find: Find,
    (grid, block): (Out<i32>, Out<i32>),
    function: usize,
    shared: usize,
    limit: i32,
) -> Status {
    let limit = u32::try_from(limit).map_err(|_| Code::INVALID_VALUE)?;
    let mut state = lock();
    let kernel = find(&state, function)?;
    let info = state.info(&kernel)?;
    let (items, blocks) = best_block(&state.hardware, &info, |_| shared, limit);
    grid.set(int(blocks))?;
    block.set(int(items))
}

api! {
    /// Gives the workgroups of a kernel that one multiprocessor holds.
    fn hipOccupancyMaxActiveBlocksPerMultiprocessor(out: Out<i32>, function: usize, items: i32, shared: usize) {
        blocks(OF_HOST, out, function, items, shared)
    }

    /// Gives the workgroups of a kernel that one multiprocessor holds.
    fn hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        out: Out<i32>, function: usize, items: i32, shared: usize, _flags: u32,
    ) {
        blocks(OF_HOST, out, function, items, shared)
    }

    /// Gives the workgroups of a module's kernel that one multiprocessor holds.
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
        out: Out<i32>, function: usize, items: i32, shared: usize,
    ) {
        blocks(OF_MODULE, out, function, items, shared)
    }

    /// Gives the workgroups of a module's kernel that one multiprocessor holds.
    fn hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        out: Out<i32>, function: usize, items: i32, shared: usize, _flags: u32,
    ) {
        blocks(OF_MODULE, out, function, items, shared)
    }

    /// Gives the size of workgroups that keeps a device busiest.
    fn hipOccupancyMaxPotentialBlockSize(
        grid: Out<i32>, block: Out<i32>, function: usize, shared: usize, limit: i32,
    ) {
        best(OF_HOST, (grid, block), function, shared, limit)
    }

    /// Gives the size of workgroups that keeps a device busiest, of a module's kernel.
    fn hipModuleOccupancyMaxPotentialBlockSize(
        grid: Out<i32>, block: Out<i32>, function: usize, shared: usize, limit: i32,
    ) {
        best(OF_MODULE, (grid, block), function, shared, limit)
    }

    /// Gives the size of workgroups that keeps a device busiest, of a module's kernel.
    fn hipModuleOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<i32>, block: Out<i32>, function: usize, shared: usize, limit: i32, _flags: u32,
    ) {
        best(OF_MODULE, (grid, block), function, shared, limit)
    }
}
