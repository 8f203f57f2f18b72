//! Functions that tell about devices, and choose one.

use std::ffi::c_char;

use super::attributes;
use super::properties::{Properties5, Properties6, uuid};
use crate::call::api;
use crate::error::Code;
use crate::raw::{In, Out, Text};
use crate::runtime::{current_device, lock, set_current_device};
use crate::version;

fn pci(device: usize) -> String {
    format!("0000:{:02x}:00.0", device + 1)
}

fn as_int(device: usize) -> i32 {
    i32::try_from(device).unwrap_or(0)
}

api! {
    /// Starts the runtime, which every function does.
    fn hipInit(flags: u32) {
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        drop(lock());
        Ok(())
    }

    /// Starts the runtime.
    fn hip_init() {
        drop(lock());
        Ok(())
    }

    /// Gives the number of devices.
    fn hipGetDeviceCount(out: Out<i32>) {
        let count = lock().devices.len();
        out.set(as_int(count))
    }

    /// Chooses the thread's device.
    fn hipSetDevice(device: i32) {
        let device = lock().device(device)?;
        set_current_device(device);
        Ok(())
    }

    /// Gives the thread's device.
    fn hipGetDevice | hipCtxGetDevice (out: Out<i32>) {
        out.set(as_int(current_device()))
    }

    /// Says which devices may be chosen by themselves: all stay so.
    fn hipSetValidDevices(list: In<i32>, count: i32) {
        let state = lock();
        for device in list.list(usize::try_from(count).map_err(|_| Code::INVALID_VALUE)?)? {
            state.device(device)?;
        }
        Ok(())
    }

    /// Tells the properties of a device, in the structure of HIP 5.
    fn hipGetDeviceProperties(out: Out<Properties5>, device: i32) {
        let state = lock();
        let device = state.device(device)?;
        out.set(Properties5::of(&state.hardware, device))
    }

    /// Tells the properties of a device, in the structure of HIP 6.
    fn hipGetDevicePropertiesR0600(out: Out<Properties6>, device: i32) {
        let state = lock();
        let device = state.device(device)?;
        out.set(Properties6::of(&state.hardware, device))
    }

    /// Finds a device with properties: all are the same.
    fn hipChooseDevice | hipChooseDeviceR0600 (out: Out<i32>, wanted: usize) {
        if wanted == 0 {
            return Err(Code::INVALID_VALUE);
        }
        out.set(0)
    }

    /// Tells one attribute of a device.
    fn hipDeviceGetAttribute(out: Out<i32>, attribute: i32, device: i32) {
        let state = lock();
        let device = state.device(device)?;
        out.set(attributes::value(&state.hardware, device, attribute).ok_or(Code::INVALID_VALUE)?)
    }

    /// Gives a device by its number.
    fn hipDeviceGet(out: Out<i32>, number: i32) {
        lock().device(number)?;
        out.set(number)
    }

    /// Gives the name of a device.
    fn hipDeviceGetName(out: Out<c_char>, room: i32, device: i32) {
        let state = lock();
        state.device(device)?;
        out.set_text(state.hardware.product, usize::try_from(room).map_err(|_| Code::INVALID_VALUE)?)
    }

    /// Gives the id of a device.
    fn hipDeviceGetUuid(out: Out<[c_char; 16]>, device: i32) {
        let device = lock().device(device)?;
        out.set(uuid(device))
    }

    /// Gives the bytes of a device's memory.
    fn hipDeviceTotalMem(out: Out<usize>, device: i32) {
        let state = lock();
        state.device(device)?;
        out.set(state.hardware.usable_memory())
    }

    /// Gives the compute capability of a device.
    fn hipDeviceComputeCapability(major: Out<i32>, minor: Out<i32>, device: i32) {
        let state = lock();
        state.device(device)?;
        let capability = state.hardware.capability();
        major.set(capability.0)?;
        minor.set(capability.1)
    }

    /// Gives the bus id of a device.
    fn hipDeviceGetPCIBusId(out: Out<c_char>, room: i32, device: i32) {
        let device = lock().device(device)?;
        let text = pci(device);
        let room = usize::try_from(room).ok().filter(|&room| room > text.len()).ok_or(Code::INVALID_VALUE)?;
        out.set_text(&text, room)
    }

    /// Finds a device by its bus id.
    fn hipDeviceGetByPCIBusId(out: Out<i32>, text: Text) {
        let text = text.get()?.to_lowercase();
        let count = lock().devices.len();
        let found = (0..count).find(|&device| pci(device).ends_with(&text) && text.len() > 4);
        out.set(as_int(found.ok_or(Code::INVALID_VALUE)?))
    }

    /// Gives the version of the driver, which is the runtime's.
    fn hipDriverGetVersion | hipRuntimeGetVersion (out: Out<i32>) {
        out.set(version::number(version::wanted()))
    }

    /// Starts a profiler, of which there is none.
    fn hipProfilerStart | hipProfilerStop () {
        Err(Code::NOT_SUPPORTED)
    }
}
