//! Contexts: each device has one, whose handle is its number and one more.

use crate::call::api;
use crate::error::Code;
use crate::raw::Out;
use crate::runtime::{contexts, current_device, lock, set_current_device};

/// The device of a context.
pub(crate) fn device_of(context: usize) -> Result<usize, Code> {
    let device = context.checked_sub(1).filter(|&device| device < lock().devices.len());
    device.ok_or(Code::INVALID_CONTEXT)
}

fn context_of(device: usize) -> usize {
    device + 1
}

api! {
    /// Makes a context the thread's.
    fn hipCtxCreate(out: Out<usize>, _flags: u32, device: i32) {
        let device = lock().device(device)?;
        contexts(|all| all.push(current_device()));
        set_current_device(device);
        out.set(context_of(device))
    }

    /// Ends a context; the device stays.
    fn hipCtxDestroy(context: usize) {
        device_of(context).map_err(|_| Code::INVALID_VALUE)?;
        Ok(())
    }

    /// Gives the thread's context.
    fn hipCtxGetCurrent(out: Out<usize>) {
        out.set(context_of(current_device()))
    }

    /// Makes a context the thread's.
    fn hipCtxSetCurrent(context: usize) {
        if context != 0 {
            set_current_device(device_of(context)?);
        }
        Ok(())
    }

    /// Makes a context the thread's, and keeps the one before.
    fn hipCtxPushCurrent(context: usize) {
        let device = device_of(context)?;
        contexts(|all| all.push(current_device()));
        set_current_device(device);
        Ok(())
    }

    /// Goes back to the context before.
    fn hipCtxPopCurrent(out: Out<usize>) {
        let before = contexts(Vec::pop).ok_or(Code::INVALID_CONTEXT)?;
        out.set_if_there(context_of(current_device()));
        set_current_device(before);
        Ok(())
    }

    /// Gives the version of the interface.
    fn hipCtxGetApiVersion(_context: usize, out: Out<i32>) {
        out.set(4)
    }

    /// Gives the flags of the thread's context.
    fn hipCtxGetFlags(out: Out<u32>) {
        out.set(lock().devices[current_device()].flags)
    }

    /// Gives the state of a device's context.
    fn hipDevicePrimaryCtxGetState(device: i32, flags: Out<u32>, active: Out<i32>) {
        let state = lock();
        let device = &state.devices[state.device(device)?];
        flags.set_if_there(device.flags);
        active.set_if_there(i32::from(device.is_active));
        Ok(())
    }

    /// Gives the context of a device.
    fn hipDevicePrimaryCtxRetain(out: Out<usize>, device: i32) {
        let device = lock().device(device)?;
        out.set(context_of(device))
    }

    /// Ends what `hipDevicePrimaryCtxRetain` began.
    fn hipDevicePrimaryCtxRelease | hipDevicePrimaryCtxReset (device: i32) {
        lock().device(device).map(|_| ())
    }

    /// Changes the flags of a device's context.
    fn hipDevicePrimaryCtxSetFlags(device: i32, flags: u32) {
        let mut state = lock();
        let device = state.device(device)?;
        state.devices[device].flags = flags;
        Ok(())
    }
}
