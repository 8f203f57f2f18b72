//! Functions that tell about memory.

use super::allocations::{Allocation, Kind};
use crate::call::api;
use crate::error::{Code, Status};
use crate::raw::{In, Out};
use crate::runtime::{current_device, lock};
use crate::version;

/// `hipPointerAttribute_t`, in HIP 5 and 6: what differs is the value of the kind.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Attributes {
    kind: i32,
    device: i32,
    device_pointer: usize,
    host_pointer: usize,
    is_managed: i32,
    flags: u32,
}

/// `hipMemoryType` by HIP's major version: unregistered, host, device, managed.
fn kind_number(kind: Option<Kind>, major: u32) -> i32 {
    match (kind, major) {
        (None, _) => 0,
        (Some(Kind::Pinned | Kind::Registered), ..6) => 0,
        (Some(Kind::Pinned | Kind::Registered), _) => 1,
        // 5 has no kind for managed memory: `isManaged` says it.
        (Some(Kind::Device | Kind::Managed), ..6) => 1,
        (Some(Kind::Device), _) => 2,
        (Some(Kind::Managed), _) => 3,
    }
}

fn number(device: usize) -> i32 {
    i32::try_from(device).unwrap_or(0)
}

fn attributes(found: Option<&Allocation>, address: usize) -> Attributes {
    let kind = kind_number(found.map(|a| a.kind), version::wanted());
    let Some(a) = found else {
        return Attributes { kind, device: -2, device_pointer: 0, host_pointer: 0, is_managed: 0, flags: 0 };
    };
    let on_host = a.kind != Kind::Device;
    Attributes {
        kind,
        device: number(a.device),
        device_pointer: address,
        host_pointer: if on_host { address } else { 0 },
        is_managed: i32::from(a.kind == Kind::Managed),
        flags: a.flags,
    }
}

/// Numbers of `hipPointer_attribute`, as far as they have an answer here.
fn attribute(data: Out<u64>, attribute: i32, address: usize) -> Status {
    let state = lock();
    let found = state.memory.at(address).ok_or(Code::INVALID_VALUE)?;
    let all = attributes(Some(found), address);
    let words = |value: i32| Out::<u32>::at(data).set(value.cast_unsigned());
    match attribute {
        1 => data.set(found.device as u64 + 1),
        2 => words(all.kind),
        3 => data.set(all.device_pointer as u64),
        4 => data.set(all.host_pointer as u64),
        // Memory operations are in order.
        6 => words(1),
        7 => data.set(found.base as u64),
        8 => words(all.is_managed),
        9 => words(all.device),
        11 => data.set(found.base as u64),
        12 => data.set(found.size as u64),
        13 => words(1),
        _ => Err(Code::INVALID_VALUE),
    }
}

/// An attribute of a range: advice changes nothing here, so that all are as at first.
fn range_attribute(data: Out<i32>, size: usize, attribute: i32, address: usize, count: usize) -> Status {
    const NO_DEVICE: i32 = -2;
    let state = lock();
    let found = state.memory.at(address).filter(|a| a.kind == Kind::Managed && count > 0);
    found.ok_or(Code::INVALID_VALUE)?;
    let value = match attribute {
        1 => 0,
        2..=4 => NO_DEVICE,
        // Fine-grained memory.
        100 => 0,
        _ => return Err(Code::INVALID_VALUE),
    };
    if size < 4 || !size.is_multiple_of(4) || (attribute != 3 && size != 4) {
        return Err(Code::INVALID_VALUE);
    }
    (0..size / 4).try_for_each(|index| data.put(index, value))
}

api! {
    /// Gives the free and the total memory of the device.
    fn hipMemGetInfo(free: Out<usize>, total: Out<usize>) {
        let state = lock();
        let all = state.hardware.usable_memory();
        free.set(all.saturating_sub(state.memory.used(current_device())))?;
        total.set(all)
    }

    /// Tells what a pointer is.
    fn hipPointerGetAttributes(out: Out<Attributes>, address: usize) {
        if address == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let state = lock();
        let found = state.memory.at(address);
        if found.is_none() && version::wanted() < 6 {
            return Err(Code::INVALID_VALUE);
        }
        out.set(attributes(found, address))
    }

    /// Tells one attribute of a pointer.
    fn hipPointerGetAttribute(data: Out<u64>, number: i32, address: usize) {
        attribute(data, number, address)
    }

    /// Tells attributes of a pointer.
    fn hipDrvPointerGetAttributes(count: u32, numbers: In<i32>, data: In<Out<u64>>, address: usize) {
        for index in 0..count as usize {
            attribute(data.at(index)?, numbers.at(index)?, address)?;
        }
        Ok(())
    }

    /// Gives the begin and the size of the allocation that an address lies in.
    fn hipMemGetAddressRange(base: Out<usize>, size: Out<usize>, address: usize) {
        let state = lock();
        let found = state.memory.at(address).ok_or(Code::NOT_FOUND)?;
        base.set_if_there(found.base);
        size.set_if_there(found.size);
        Ok(())
    }

    /// Gives the size of an allocation.
    fn hipMemPtrGetInfo(address: usize, size: Out<usize>) {
        let state = lock();
        let found = state.memory.at(address).filter(|a| a.base == address);
        size.set(found.ok_or(Code::INVALID_VALUE)?.size)
    }

    /// Gives the device's address of pinned memory, which is the host's.
    fn hipHostGetDevicePointer(out: Out<usize>, address: usize, flags: u32) {
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        let state = lock();
        let found = state.memory.at(address).filter(|a| a.kind != Kind::Device);
        found.ok_or(Code::INVALID_VALUE)?;
        out.set(address)
    }

    /// Gives the flags of pinned memory.
    fn hipHostGetFlags(out: Out<u32>, address: usize) {
        let state = lock();
        let found = state.memory.at(address).filter(|a| matches!(a.kind, Kind::Pinned | Kind::Registered));
        out.set(found.ok_or(Code::INVALID_VALUE)?.flags)
    }

    /// Advice about managed memory, which changes nothing here.
    fn hipMemAdvise(address: usize, size: usize, advice: i32, device: i32) {
        let state = lock();
        if size == 0 || !(1..=6).contains(&advice) && !(100..=101).contains(&advice) {
            return Err(Code::INVALID_VALUE);
        }
        if device != -1 {
            state.device(device)?;
        }
        state.memory.at(address).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }

    /// Tells one attribute of managed memory: read mostly, preferred place, readers, last move, coherence.
    fn hipMemRangeGetAttribute(data: Out<i32>, size: usize, attribute: i32, address: usize, count: usize) {
        range_attribute(data, size, attribute, address, count)
    }

    /// Tells attributes of managed memory.
    fn hipMemRangeGetAttributes(
        data: In<Out<i32>>, sizes: In<usize>, attributes: In<i32>, number: usize, address: usize, count: usize,
    ) {
        for index in 0..number {
            range_attribute(data.at(index)?, sizes.at(index)?, attributes.at(index)?, address, count)?;
        }
        Ok(())
    }

    /// Moves managed memory, which is everywhere here.
    fn hipMemPrefetchAsync(address: usize, size: usize, device: i32, stream: usize) {
        let state = lock();
        state.device_of(stream)?;
        if device != -1 {
            state.device(device)?;
        }
        if size == 0 {
            return Err(Code::INVALID_VALUE);
        }
        state.memory.at(address).map(|_| ()).ok_or(Code::INVALID_VALUE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_memory_have_their_numbers_of_both_versions() {
        let all = [Some(Kind::Pinned), Some(Kind::Device)];
        assert_eq!(all.map(|kind| kind_number(kind, 5)), [0, 1]);
        assert_eq!(all.map(|kind| kind_number(kind, 6)), [1, 2]);
        assert_eq!((kind_number(Some(Kind::Managed), 7), kind_number(None, 6)), (3, 0));
    }
}
