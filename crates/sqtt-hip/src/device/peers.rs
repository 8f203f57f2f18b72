//! Peer access: which devices' kernels see each other's memory.

use crate::call::api;
use crate::error::Code;
use crate::memory::allocate::show;
use crate::memory::allocations::Kind;
use crate::raw::Out;
use crate::runtime::{Runtime, current_device, lock};

/// Makes the memory that a device has now visible to another one.
pub(crate) fn show_memory(state: &mut Runtime, device: usize, owner: usize) {
    for allocation in state.memory.live().filter(|a| a.kind == Kind::Device && a.device == owner) {
        show(&state.devices[device], allocation, &state.settings);
    }
}

fn enable(peer: i32, flags: u32) -> crate::error::Status {
    let mut state = lock();
    let (own, peer) = (current_device(), state.device(peer)?);
    if flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    if own == peer {
        return Err(Code::INVALID_DEVICE);
    }
    if state.devices[own].peers.contains(&peer) {
        return Err(Code::PEER_ENABLED);
    }
    state.devices[own].peers.push(peer);
    show_memory(&mut state, own, peer);
    Ok(())
}

fn disable(peer: i32) -> crate::error::Status {
    let mut state = lock();
    let (own, peer) = (current_device(), state.device(peer)?);
    let device = &mut state.devices[own];
    let at = device.peers.iter().position(|&known| known == peer).ok_or(Code::PEER_NOT_ENABLED)?;
    device.peers.remove(at);
    for allocation in state.memory.live().filter(|a| a.kind == Kind::Device && a.device == peer) {
        state.devices[own].simulated.unmap(allocation.base);
    }
    Ok(())
}

api! {
    /// Says if a device can see another one's memory: all can.
    fn hipDeviceCanAccessPeer(out: Out<i32>, device: i32, peer: i32) {
        let state = lock();
        let (device, peer) = (state.device(device)?, state.device(peer)?);
        out.set(i32::from(device != peer))
    }

    /// Lets the thread's device see another one's memory.
    fn hipDeviceEnablePeerAccess(peer: i32, flags: u32) {
        enable(peer, flags)
    }

    /// Ends what `hipDeviceEnablePeerAccess` began.
    fn hipDeviceDisablePeerAccess(peer: i32) {
        disable(peer)
    }

    /// Lets the thread's device see a context's memory.
    fn hipCtxEnablePeerAccess(context: usize, flags: u32) {
        let peer = super::context_api::device_of(context)?;
        enable(i32::try_from(peer).unwrap_or(-1), flags)
    }

    /// Ends what `hipCtxEnablePeerAccess` began.
    fn hipCtxDisablePeerAccess(context: usize) {
        let peer = super::context_api::device_of(context)?;
        disable(i32::try_from(peer).unwrap_or(-1))
    }

    /// Tells one attribute of two devices: rank, access, atomics, arrays.
    fn hipDeviceGetP2PAttribute(out: Out<i32>, attribute: i32, from: i32, to: i32) {
        let state = lock();
        if state.device(from)? == state.device(to)? {
            return Err(Code::INVALID_DEVICE);
        }
        out.set(match attribute {
            0 => 0,
            1 | 2 => 1,
            3 => 0,
            _ => return Err(Code::INVALID_VALUE),
        })
    }

    /// Gives the kind of link between two devices, PCIe, and its hops.
    fn hipExtGetLinkTypeAndHopCount(from: i32, to: i32, kind: Out<u32>, hops: Out<u32>) {
        let state = lock();
        if state.device(from)? == state.device(to)? {
            return Err(Code::INVALID_VALUE);
        }
        kind.set(2)?;
        hops.set(1)
    }
}
