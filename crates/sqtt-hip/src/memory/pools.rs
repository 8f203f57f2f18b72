//! Pools: allocations in the order of streams.

use super::allocate::Request;
use crate::call::api;
use crate::error::{Code, Status};
use crate::place::Place;
use crate::raw::{In, Out};
use crate::runtime::{Runtime, current_device, lock};
use crate::work::operation::allocate_in_stream;
use crate::work::submit::submit;

/// A pool. Memory that is freed returns at once: nothing is reserved.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    device: usize,
    /// `hipMemPoolReuse…`, and the threshold.
    attributes: [u64; 4],
    high: usize,
}

/// `hipMemPoolProps`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct PoolProperties {
    kind: i32,
    handles: i32,
    location_kind: i32,
    device: i32,
    unused: [usize; 9],
}

/// `hipMemAccessDesc`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Access {
    location_kind: i32,
    device: i32,
    flags: i32,
}

impl Runtime {
    /// The pool of a device's `hipMallocAsync`, which is there from the first use.
    fn default_pool(&mut self, device: usize) -> usize {
        if self.devices[device].pool == 0 {
            let handle = self.handle();
            self.pools.insert(handle, Pool { device, ..Pool::default() });
            self.devices[device].pool = handle;
        }
        self.devices[device].pool
    }

    fn used_of_pool(&self, pool: usize) -> usize {
        self.memory.live().filter(|a| a.pool == pool).map(|a| a.size).sum()
    }
}

fn give(out: Out<usize>, size: usize, pool: Option<usize>, stream: usize) -> Status {
    if out.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if size == 0 {
        return out.set(0);
    }
    let place = Place::caller();
    let mut state = lock();
    let device = state.device_of(stream)?;
    let pool = pool.unwrap_or_else(|| state.default_pool(device));
    let device = state.pools.get(&pool).ok_or(Code::INVALID_VALUE)?.device;
    let request = Request { device, pool, made_by: "hipMallocAsync", ..Request::new(size) };
    let (address, operation) = allocate_in_stream(&mut state, &request, place)?;
    let used = state.used_of_pool(pool);
    if let Some(pool) = state.pools.get_mut(&pool) {
        pool.high = pool.high.max(used);
    }
    drop(state);
    submit(stream, operation)?;
    out.set(address)
}

api! {
    /// Allocates from the device's pool, in a stream.
    fn hipMallocAsync(out: Out<usize>, size: usize, stream: usize) {
        give(out, size, None, stream)
    }

    /// Allocates from a pool, in a stream.
    fn hipMallocFromPoolAsync(out: Out<usize>, size: usize, pool: usize, stream: usize) {
        give(out, size, Some(pool), stream)
    }

    /// Makes a pool.
    fn hipMemPoolCreate(out: Out<usize>, properties: In<PoolProperties>) {
        let properties = properties.get()?;
        let mut state = lock();
        // Pinned memory of a device.
        if properties.kind != 1 || properties.location_kind != 1 {
            return Err(Code::INVALID_VALUE);
        }
        let device = state.device(properties.device)?;
        let handle = state.handle();
        state.pools.insert(handle, Pool { device, ..Pool::default() });
        out.set(handle)
    }

    /// Ends a pool; its allocations stay.
    fn hipMemPoolDestroy(pool: usize) {
        let mut state = lock();
        if state.devices.iter().any(|device| device.pool == pool) {
            return Err(Code::INVALID_VALUE);
        }
        state.pools.remove(&pool).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Gives memory back to the system: it always is.
    fn hipMemPoolTrimTo(pool: usize, _keep: usize) {
        lock().pools.get(&pool).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Changes an attribute of a pool.
    fn hipMemPoolSetAttribute(pool: usize, attribute: i32, value: In<u64>) {
        let mut state = lock();
        let used = state.used_of_pool(pool);
        let pool = state.pools.get_mut(&pool).ok_or(Code::INVALID_VALUE)?;
        match attribute {
            // Reuse is told by words of 32 bits.
            1..=3 => pool.attributes[attribute as usize - 1] = value.get()? & 0xffff_ffff,
            4 => pool.attributes[3] = value.get()?,
            // The highest values can be set to zero alone.
            6 | 8 if value.get()? == 0 => pool.high = used,
            _ => return Err(Code::INVALID_VALUE),
        }
        Ok(())
    }

    /// Gives an attribute of a pool.
    fn hipMemPoolGetAttribute(pool: usize, attribute: i32, value: Out<u64>) {
        let state = lock();
        let used = state.used_of_pool(pool) as u64;
        let pool = state.pools.get(&pool).ok_or(Code::INVALID_VALUE)?;
        match attribute {
            1..=3 => Out::<u32>::at(value).set(pool.attributes[attribute as usize - 1] as u32),
            4 => value.set(pool.attributes[3]),
            5 | 7 => value.set(used),
            6 | 8 => value.set(pool.high as u64),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Lets devices see a pool: those with peer access do.
    fn hipMemPoolSetAccess(pool: usize, descriptions: In<Access>, count: usize) {
        let descriptions = descriptions.list(count)?;
        let mut state = lock();
        let owner = state.pools.get(&pool).ok_or(Code::INVALID_VALUE)?.device;
        for access in descriptions {
            let device = state.device(access.device)?;
            if device != owner && access.flags == 3 {
                crate::device::peers::show_memory(&mut state, device, owner);
            }
        }
        Ok(())
    }

    /// Says if a device sees a pool.
    fn hipMemPoolGetAccess(flags: Out<i32>, pool: usize, location: In<[i32; 2]>) {
        let state = lock();
        let owner = state.pools.get(&pool).ok_or(Code::INVALID_VALUE)?.device;
        let device = state.device(location.at(0)?[1])?;
        flags.set(if device == owner || state.devices[device].peers.contains(&owner) { 3 } else { 0 })
    }

    /// Gives the pool of a device that is there from the begin.
    fn hipDeviceGetDefaultMemPool | hipDeviceGetMemPool (out: Out<usize>, device: i32) {
        let mut state = lock();
        let device = state.device(device)?;
        let pool = state.default_pool(device);
        out.set(pool)
    }

    /// Changes the pool of a device.
    fn hipDeviceSetMemPool(device: i32, pool: usize) {
        let mut state = lock();
        let device = state.device(device)?;
        if state.pools.get(&pool).is_none_or(|pool| pool.device != device) {
            return Err(Code::INVALID_VALUE);
        }
        state.devices[device].pool = pool;
        Ok(())
    }

    /// Gives the bytes of graphs' allocations: in use, the most in use, reserved, the most reserved.
    fn hipDeviceGetGraphMemAttribute(device: i32, attribute: i32, value: Out<u64>) {
        lock().device(device)?;
        if !(0..=3).contains(&attribute) {
            return Err(Code::INVALID_VALUE);
        }
        value.set(0)
    }

    /// Sets the most in use back.
    fn hipDeviceSetGraphMemAttribute(device: i32, attribute: i32, _value: In<u64>) {
        lock().device(device)?;
        if matches!(attribute, 1 | 3) { Ok(()) } else { Err(Code::INVALID_VALUE) }
    }

    /// Gives memory of graphs back to the system: it always is.
    fn hipDeviceGraphMemTrim(device: i32) {
        let state = lock();
        state.device(device)?;
        state.check(current_device())
    }
}
