//! Functions that allocate and free.

use super::allocations::{Allocation, Kind, name};
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::place::Place;
use crate::profile;
use crate::raw::Out;
use crate::runtime::{self, Runtime, current_device, lock};
use crate::settings::Settings;
use crate::work::operation::Operation;
use crate::work::submit::{self, submit};

/// An allocation to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) size: usize,
    pub(crate) kind: Kind,
    pub(crate) device: usize,
    pub(crate) flags: u32,
    pub(crate) pool: usize,
    pub(crate) made_by: &'static str,
}

impl Request {
    /// Memory of the thread's device.
    pub(crate) fn new(size: usize) -> Request {
        Request {
            size,
            kind: Kind::Device,
            device: current_device(),
            flags: 0,
            pool: 0,
            made_by: "hipMalloc",
        }
    }
}

/// Allocates memory. It is zero; of a GPU's it is not.
pub(crate) fn allocate(state: &mut Runtime, request: &Request, place: Place) -> Result<usize, Code> {
    let &Request { size, kind, device, flags, pool, made_by } = request;
    let room = state.hardware.usable_memory().saturating_sub(state.memory.used(device));
    if size > room {
        return Err(Code::OUT_OF_MEMORY);
    }
    let base = profile::note(|| {
        let base = state.memory.arena.take(size);
        let device = (kind != Kind::Pinned).then_some(device);
        (base, base.map(|address| profile::What::Allocate { device, address, size }))
    });
    let base = base.ok_or(Code::OUT_OF_MEMORY)?;
    let allocation = Allocation { base, size, kind, device, flags, pool, made_by, place };
    map(state, &allocation);
    state.memory.add(allocation);
    if let Some(device) = state.devices.get_mut(device) {
        device.is_active = true;
    }
    Ok(base)
}

/// Makes an allocation visible to the devices that may see it.
fn map(state: &Runtime, allocation: &Allocation) {
    for (number, device) in state.devices.iter().enumerate() {
        let is_own = number == allocation.device || device.peers.contains(&allocation.device);
        if allocation.kind != Kind::Device || is_own {
            show(device, allocation, &state.settings);
        }
    }
}

/// Makes an allocation visible to one device.
pub(crate) fn show(device: &runtime::Device, allocation: &Allocation, settings: &Settings) {
    let label = format!("memory of {} at {:#x}", allocation.made_by, allocation.base);
    // The program writes all other memory without this library.
    let watched = settings.check_uninitialized && allocation.kind == Kind::Device;
    device.simulated.map(allocation.base, allocation.size, label, watched);
}

/// Frees the allocation that starts at an address, of the kinds that the function is for.
pub(crate) fn release(
    state: &mut Runtime,
    base: usize,
    kinds: &[Kind],
    freed_by: &'static str,
    place: Place,
) -> Status {
    if base == 0 {
        return Ok(());
    }
    let found = state.memory.at(base);
    if !found.is_some_and(|a| a.base == base && kinds.contains(&a.kind)) {
        let why = state.memory.describe(base);
        let right = match found {
            Some(a) if a.base == base => ", which it is not for",
            Some(_) => ", and an allocation is freed by its first byte",
            None => "",
        };
        message::say(&format!("{freed_by} at {place}: {base:#x} is {why}{right}"));
        return Err(Code::INVALID_VALUE);
    }
    let Some(was) = state.memory.remove(base, freed_by, place) else { return Err(Code::INVALID_VALUE) };
    for device in &state.devices {
        device.simulated.unmap(base);
    }
    if was.kind != Kind::Registered {
        profile::note(|| {
            state.memory.arena.give_back(base, was.size);
            let device = (was.kind != Kind::Pinned).then_some(was.device);
            ((), Some(profile::What::Free { device, address: base, size: was.size }))
        });
    }
    Ok(())
}

/// Frees everything of a device.
pub(crate) fn release_all(state: &mut Runtime, device: usize, place: Place) {
    let own = |a: &&Allocation| a.device == device && matches!(a.kind, Kind::Device) && a.pool == 0;
    let all: Vec<usize> = state.memory.live().filter(own).map(|a| a.base).collect();
    for base in all {
        // It was found a line above.
        let _ = release(state, base, &[Kind::Device], "hipDeviceReset", place);
    }
}

fn give(out: Out<usize>, request: &Request) -> Status {
    if out.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    submit::check_current()?;
    if request.size == 0 {
        return out.set(0);
    }
    let place = Place::caller();
    let address = allocate(&mut lock(), request, place)?;
    out.set(address)
}

/// Rows are padded to this many bytes.
pub(crate) const PITCH: usize = 256;

/// Rows with their padding, or an error where the size is none.
pub(crate) fn pitched(width: usize, rows: usize) -> Result<(usize, usize), Code> {
    let pitch = width.checked_next_multiple_of(PITCH).ok_or(Code::INVALID_VALUE)?;
    Ok((pitch, pitch.checked_mul(rows).ok_or(Code::OUT_OF_MEMORY)?))
}

/// `hipPitchedPtr`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct PitchedPointer {
    pub(crate) pointer: usize,
    pub(crate) pitch: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// `hipExtent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Extent {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

api! {
    /// Allocates device memory.
    fn hipMalloc(out: Out<usize>, size: usize) {
        give(out, &Request::new(size))
    }

    /// Allocates device memory with flags, of which none changes anything here.
    fn hipExtMallocWithFlags(out: Out<usize>, size: usize, flags: u32) {
        give(out, &Request { flags, made_by: "hipExtMallocWithFlags", ..Request::new(size) })
    }

    /// Allocates memory that host and devices use.
    fn hipMallocManaged(out: Out<usize>, size: usize, flags: u32) {
        if !matches!(flags, 1 | 2) || size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        give(out, &Request { kind: Kind::Managed, flags, made_by: "hipMallocManaged", ..Request::new(size) })
    }

    /// Allocates pinned host memory, which devices see.
    fn hipHostMalloc | hipHostAlloc | hipExtHostAlloc (out: Out<usize>, size: usize, flags: u32) {
        give(out, &Request { kind: Kind::Pinned, flags, made_by: "hipHostMalloc", ..Request::new(size) })
    }

    /// Allocates pinned host memory.
    fn hipMallocHost | hipMemAllocHost (out: Out<usize>, size: usize) {
        give(out, &Request { kind: Kind::Pinned, made_by: "hipMallocHost", ..Request::new(size) })
    }

    /// Allocates rows with padding.
    fn hipMallocPitch(out: Out<usize>, pitch: Out<usize>, width: usize, height: usize) {
        if pitch.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let (row, size) = pitched(width, height)?;
        give(out, &Request { made_by: "hipMallocPitch", ..Request::new(size) })?;
        pitch.set(row)
    }

    /// Allocates rows with padding, of elements of 4, 8 or 16 bytes.
    fn hipMemAllocPitch(out: Out<usize>, pitch: Out<usize>, width: usize, height: usize, element: u32) {
        if pitch.is_null() || !matches!(element, 4 | 8 | 16) {
            return Err(Code::INVALID_VALUE);
        }
        let (row, size) = pitched(width, height)?;
        give(out, &Request { made_by: "hipMemAllocPitch", ..Request::new(size) })?;
        pitch.set(row)
    }

    /// Allocates planes of rows with padding.
    fn hipMalloc3D(out: Out<PitchedPointer>, extent: Extent) {
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let rows = extent.height.max(1).checked_mul(extent.depth.max(1)).ok_or(Code::INVALID_VALUE)?;
        let (pitch, size) = pitched(extent.width, rows)?;
        let request = Request { made_by: "hipMalloc3D", ..Request::new(size) };
        let pointer = if size == 0 { 0 } else { allocate(&mut lock(), &request, Place::caller())? };
        out.set(PitchedPointer { pointer, pitch, width: extent.width, height: extent.height })
    }

    /// Frees device or managed memory, after all work before.
    fn hipFree(address: usize) {
        submit::check_current()?;
        release(&mut lock(), address, &[Kind::Device, Kind::Managed], "hipFree", Place::caller())
    }

    /// Frees pinned host memory.
    fn hipHostFree | hipFreeHost (address: usize) {
        release(&mut lock(), address, &[Kind::Pinned], "hipHostFree", Place::caller())
    }

    /// Makes the program's own memory visible to devices.
    fn hipHostRegister(base: usize, size: usize, flags: u32) {
        if base == 0 || size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let mut state = lock();
        if state.memory.at(base).is_some() || state.memory.at(base + size - 1).is_some() {
            return Err(Code::HOST_REGISTERED);
        }
        let allocation = Allocation {
            base,
            size,
            kind: Kind::Registered,
            device: current_device(),
            flags,
            pool: 0,
            made_by: "hipHostRegister",
            place: Place::caller(),
        };
        map(&state, &allocation);
        state.memory.add(allocation);
        Ok(())
    }

    /// Ends what `hipHostRegister` began.
    fn hipHostUnregister(base: usize) {
        let mut state = lock();
        let is_registered = state.memory.at(base).is_some_and(|a| a.base == base && a.kind == Kind::Registered);
        if !is_registered {
            return Err(Code::HOST_NOT_REGISTERED);
        }
        release(&mut state, base, &[Kind::Registered], "hipHostUnregister", Place::caller())
    }

    /// Frees memory when the work before it in a stream is done.
    fn hipFreeAsync(address: usize, stream: usize) {
        if address == 0 {
            return Err(Code::INVALID_VALUE);
        }
        submit(stream, Operation::Free { address, place: Place::caller() })
    }
}

/// A message about an access that an allocation's bounds refuse.
pub(crate) fn beyond(function: &str, address: usize, size: usize, allocation: &Allocation, place: Place) {
    message::say(&format!(
        "{function} at {place}: {size} bytes from byte {} of {} on",
        address - allocation.base,
        name(allocation)
    ));
}
