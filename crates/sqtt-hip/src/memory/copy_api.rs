//! Functions that copy between addresses.

use super::copies::{Copy, Direction, Side};
use super::copy_structs::{Box2, Box3, DriverBox3, driver_box};
use crate::call::api;
use crate::error::{Code, Status};
use crate::place::Place;
use crate::raw::In;
use crate::runtime::lock;
use crate::work::operation::Operation;
use crate::work::submit::submit;

/// Submits a copy.
pub(crate) fn copy(stream: usize, copy: Copy) -> Status {
    submit(stream, Operation::Copy(copy))
}

fn line(stream: usize, to: usize, from: usize, size: usize, kind: i32) -> Status {
    Direction::of(kind)?;
    copy(stream, Copy::line(to, from, size, Place::caller()))
}

/// Rows with a distance on each side.
type Rows = (usize, usize);

fn rows(stream: usize, to: Rows, from: Rows, width: usize, height: usize, kind: i32) -> Status {
    Direction::of(kind)?;
    if width > to.1 || width > from.1 {
        return Err(Code::INVALID_PITCH);
    }
    let side = |(address, pitch)| Side { address, pitch, plane: 0 };
    copy(stream, Copy { to: side(to), from: side(from), width, height, depth: 1, place: Place::caller() })
}

fn cuboid(stream: usize, what: In<Box3>) -> Status {
    let what = what.get()?;
    let own = what.copy(&lock(), Place::caller())?;
    copy(stream, own)
}

fn driver_cuboid(stream: usize, what: In<DriverBox3>) -> Status {
    let what = driver_box(what)?;
    let own = what.copy(&lock(), Place::caller())?;
    copy(stream, own)
}

fn driver_rows(stream: usize, what: In<Box2>) -> Status {
    let what = what.get()?;
    let own = what.copy(&lock(), Place::caller())?;
    copy(stream, own)
}

fn peer(
    stream: usize,
    (to, to_device): (usize, i32),
    (from, from_device): (usize, i32),
    size: usize,
) -> Status {
    let state = lock();
    state.device(to_device)?;
    state.device(from_device)?;
    drop(state);
    copy(stream, Copy::line(to, from, size, Place::caller()))
}

api! {
    /// Copies bytes.
    fn hipMemcpy | hipMemcpy_spt (to: usize, from: usize, size: usize, kind: i32) {
        line(0, to, from, size, kind)
    }

    /// Copies bytes in a stream.
    fn hipMemcpyAsync | hipMemcpyAsync_spt | hipMemcpyWithStream (
        to: usize, from: usize, size: usize, kind: i32, stream: usize,
    ) {
        line(stream, to, from, size, kind)
    }

    /// Copies from host to device.
    fn hipMemcpyHtoD(to: usize, from: usize, size: usize) {
        line(0, to, from, size, 1)
    }

    /// Copies from device to host.
    fn hipMemcpyDtoH(to: usize, from: usize, size: usize) {
        line(0, to, from, size, 2)
    }

    /// Copies on a device.
    fn hipMemcpyDtoD(to: usize, from: usize, size: usize) {
        line(0, to, from, size, 3)
    }

    /// Copies from host to device in a stream.
    fn hipMemcpyHtoDAsync(to: usize, from: usize, size: usize, stream: usize) {
        line(stream, to, from, size, 1)
    }

    /// Copies from device to host in a stream.
    fn hipMemcpyDtoHAsync(to: usize, from: usize, size: usize, stream: usize) {
        line(stream, to, from, size, 2)
    }

    /// Copies on a device in a stream.
    fn hipMemcpyDtoDAsync(to: usize, from: usize, size: usize, stream: usize) {
        line(stream, to, from, size, 3)
    }

    /// Copies from a device to another.
    fn hipMemcpyPeer(to: usize, to_device: i32, from: usize, from_device: i32, size: usize) {
        peer(0, (to, to_device), (from, from_device), size)
    }

    /// Copies from a device to another in a stream.
    fn hipMemcpyPeerAsync(to: usize, to_device: i32, from: usize, from_device: i32, size: usize, stream: usize) {
        peer(stream, (to, to_device), (from, from_device), size)
    }

    /// Copies rows.
    fn hipMemcpy2D | hipMemcpy2D_spt (
        to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: i32,
    ) {
        rows(0, (to, to_pitch), (from, from_pitch), width, height, kind)
    }

    /// Copies rows in a stream.
    fn hipMemcpy2DAsync | hipMemcpy2DAsync_spt (
        to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        rows(stream, (to, to_pitch), (from, from_pitch), width, height, kind)
    }

    /// Copies a box.
    fn hipMemcpy3D | hipMemcpy3D_spt (what: In<Box3>) {
        cuboid(0, what)
    }

    /// Copies a box in a stream.
    fn hipMemcpy3DAsync | hipMemcpy3DAsync_spt (what: In<Box3>, stream: usize) {
        cuboid(stream, what)
    }

    /// Copies a box.
    fn hipDrvMemcpy3D(what: In<DriverBox3>) {
        driver_cuboid(0, what)
    }

    /// Copies a box in a stream.
    fn hipDrvMemcpy3DAsync(what: In<DriverBox3>, stream: usize) {
        driver_cuboid(stream, what)
    }

    /// Copies rows.
    fn hipMemcpyParam2D | hipDrvMemcpy2DUnaligned (what: In<Box2>) {
        driver_rows(0, what)
    }

    /// Copies rows in a stream.
    fn hipMemcpyParam2DAsync(what: In<Box2>, stream: usize) {
        driver_rows(stream, what)
    }
}
