//! Functions that set what changes nothing in a simulator: caches, banks, flags, limits.

use crate::call::api;
use crate::error::Code;
use crate::raw::Out;
use crate::runtime::{current_device, lock};

/// `hipLimitStackSize`, `…PrintfFifoSize` and `…MallocHeapSize`, with what they are at first.
const LIMITS: [(i32, usize); 3] = [(0, 1024), (1, 1 << 20), (2, 128 << 20)];

api! {
    /// Prefers a cache.
    fn hipDeviceSetCacheConfig | hipCtxSetCacheConfig (_preference: i32) {
        Ok(())
    }

    /// Gives the preferred cache: none.
    fn hipDeviceGetCacheConfig | hipCtxGetCacheConfig (out: Out<i32>) {
        out.set(0)
    }

    /// Sets the width of LDS banks.
    fn hipDeviceSetSharedMemConfig | hipCtxSetSharedMemConfig (_width: i32) {
        Ok(())
    }

    /// Gives the width of LDS banks: that of hardware.
    fn hipDeviceGetSharedMemConfig | hipCtxGetSharedMemConfig (out: Out<i32>) {
        out.set(1)
    }

    /// Sets flags of the thread's device: how it waits, what it maps.
    fn hipSetDeviceFlags(flags: u32) {
        if flags & !0x1f != 0 {
            return Err(Code::INVALID_VALUE);
        }
        lock().devices[current_device()].flags = flags;
        Ok(())
    }

    /// Gives the flags of the thread's device.
    fn hipGetDeviceFlags(out: Out<u32>) {
        out.set(lock().devices[current_device()].flags)
    }

    /// Sets a limit.
    fn hipDeviceSetLimit(limit: i32, value: usize) {
        if !LIMITS.iter().any(|row| row.0 == limit) {
            return Err(Code::UNSUPPORTED_LIMIT);
        }
        lock().devices[current_device()].limits.insert(limit, value);
        Ok(())
    }

    /// Gives a limit.
    fn hipDeviceGetLimit(out: Out<usize>, limit: i32) {
        let row = LIMITS.iter().find(|row| row.0 == limit).ok_or(Code::UNSUPPORTED_LIMIT)?;
        let state = lock();
        out.set(state.devices[current_device()].limits.get(&limit).copied().unwrap_or(row.1))
    }
}
