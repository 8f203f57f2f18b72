//! Functions that copy into arrays and out of them.

use super::copies::{Copy, Direction, Side};
use super::copy_api::copy;
use crate::call::api;
use crate::error::{Code, Status};
use crate::place::Place;
use crate::runtime::lock;

/// A place in an array: handle, byte of a row, row.
type At = (usize, usize, usize);

fn side((array, x, y): At) -> Result<Side, Code> {
    lock().arrays.get(&array).ok_or(Code::INVALID_VALUE)?.side(x, y, 0)
}

/// Copies bytes in a row.
fn line(stream: usize, to: Side, from: Side, size: usize) -> Status {
    copy(stream, Copy { to, from, width: size, height: 1, depth: 1, place: Place::caller() })
}

/// Copies rows.
fn rows(stream: usize, to: Side, from: Side, (width, height): (usize, usize), kind: i32) -> Status {
    Direction::of(kind)?;
    copy(stream, Copy { to, from, width, height, depth: 1, place: Place::caller() })
}

fn memory(address: usize, pitch: usize) -> Side {
    Side { address, pitch, plane: 0 }
}

api! {
    /// Copies rows into an array.
    fn hipMemcpy2DToArray | hipMemcpy2DToArray_spt (
        array: usize, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: i32,
    ) {
        rows(0, side((array, x, y))?, memory(from, pitch), (width, height), kind)
    }

    /// Copies rows into an array, in a stream.
    fn hipMemcpy2DToArrayAsync | hipMemcpy2DToArrayAsync_spt (
        array: usize, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        rows(stream, side((array, x, y))?, memory(from, pitch), (width, height), kind)
    }

    /// Copies rows out of an array.
    fn hipMemcpy2DFromArray | hipMemcpy2DFromArray_spt (
        to: usize, pitch: usize, array: usize, x: usize, y: usize, width: usize, height: usize, kind: i32,
    ) {
        rows(0, memory(to, pitch), side((array, x, y))?, (width, height), kind)
    }

    /// Copies rows out of an array, in a stream.
    fn hipMemcpy2DFromArrayAsync | hipMemcpy2DFromArrayAsync_spt (
        to: usize, pitch: usize, array: usize, x: usize, y: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        rows(stream, memory(to, pitch), side((array, x, y))?, (width, height), kind)
    }

    /// Copies rows of an array into another one.
    fn hipMemcpy2DArrayToArray(
        to: usize, to_x: usize, to_y: usize, from: usize, x: usize, y: usize, width: usize, height: usize,
        kind: i32,
    ) {
        rows(0, side((to, to_x, to_y))?, side((from, x, y))?, (width, height), kind)
    }

    /// Copies bytes into an array.
    fn hipMemcpyToArray(array: usize, x: usize, y: usize, from: usize, size: usize, kind: i32) {
        Direction::of(kind)?;
        line(0, side((array, x, y))?, Side::line(from), size)
    }

    /// Copies bytes out of an array.
    fn hipMemcpyFromArray | hipMemcpyFromArray_spt (
        to: usize, array: usize, x: usize, y: usize, size: usize, kind: i32,
    ) {
        Direction::of(kind)?;
        line(0, Side::line(to), side((array, x, y))?, size)
    }

    /// Copies bytes from the host into an array.
    fn hipMemcpyHtoA | hipMemcpyDtoA (array: usize, x: usize, from: usize, size: usize) {
        line(0, side((array, x, 0))?, Side::line(from), size)
    }

    /// Copies bytes from the host into an array, in a stream.
    fn hipMemcpyHtoAAsync(array: usize, x: usize, from: usize, size: usize, stream: usize) {
        line(stream, side((array, x, 0))?, Side::line(from), size)
    }

    /// Copies bytes out of an array.
    fn hipMemcpyAtoH | hipMemcpyAtoD (to: usize, array: usize, x: usize, size: usize) {
        line(0, Side::line(to), side((array, x, 0))?, size)
    }

    /// Copies bytes out of an array to the host, in a stream.
    fn hipMemcpyAtoHAsync(to: usize, array: usize, x: usize, size: usize, stream: usize) {
        line(stream, Side::line(to), side((array, x, 0))?, size)
    }

    /// Copies bytes of an array into another one.
    fn hipMemcpyAtoA(to: usize, to_x: usize, from: usize, x: usize, size: usize) {
        line(0, side((to, to_x, 0))?, side((from, x, 0))?, size)
    }
}
