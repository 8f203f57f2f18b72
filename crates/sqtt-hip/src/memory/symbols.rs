//! Functions of device variables.

use super::copies::{Copy, Direction};
use super::copy_api::copy;
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::place::Place;
use crate::raw::Out;
use crate::runtime::{current_device, lock};

/// The address of a part of a variable.
pub(crate) fn part(symbol: usize, offset: usize, size: usize) -> Result<usize, Code> {
    let (address, length) = lock().symbol(symbol, current_device())?;
    if offset.checked_add(size).is_none_or(|end| end > length) {
        message::say(&format!(
            "{size} bytes from byte {offset} on of a variable of {length} bytes, at {}",
            Place::caller()
        ));
        return Err(Code::INVALID_VALUE);
    }
    Ok(address + offset)
}

fn to_symbol(stream: usize, symbol: usize, from: usize, size: usize, offset: usize, kind: i32) -> Status {
    Direction::of(kind)?;
    copy(stream, Copy::line(part(symbol, offset, size)?, from, size, Place::caller()))
}

fn from_symbol(stream: usize, to: usize, symbol: usize, size: usize, offset: usize, kind: i32) -> Status {
    Direction::of(kind)?;
    copy(stream, Copy::line(to, part(symbol, offset, size)?, size, Place::caller()))
}

api! {
    /// Copies into a variable.
    fn hipMemcpyToSymbol | hipMemcpyToSymbol_spt (symbol: usize, from: usize, size: usize, offset: usize, kind: i32) {
        to_symbol(0, symbol, from, size, offset, kind)
    }

    /// Copies into a variable, in a stream.
    fn hipMemcpyToSymbolAsync | hipMemcpyToSymbolAsync_spt (
        symbol: usize, from: usize, size: usize, offset: usize, kind: i32, stream: usize,
    ) {
        to_symbol(stream, symbol, from, size, offset, kind)
    }

    /// Copies out of a variable.
    fn hipMemcpyFromSymbol | hipMemcpyFromSymbol_spt (
        to: usize, symbol: usize, size: usize, offset: usize, kind: i32,
    ) {
        from_symbol(0, to, symbol, size, offset, kind)
    }

    /// Copies out of a variable, in a stream.
    fn hipMemcpyFromSymbolAsync | hipMemcpyFromSymbolAsync_spt (
        to: usize, symbol: usize, size: usize, offset: usize, kind: i32, stream: usize,
    ) {
        from_symbol(stream, to, symbol, size, offset, kind)
    }

    /// Gives the address of a variable.
    fn hipGetSymbolAddress(out: Out<usize>, symbol: usize) {
        let (address, _) = lock().symbol(symbol, current_device())?;
        out.set(address)
    }

    /// Gives the size of a variable.
    fn hipGetSymbolSize(out: Out<usize>, symbol: usize) {
        let (_, size) = lock().symbol(symbol, current_device())?;
        out.set(size)
    }
}
