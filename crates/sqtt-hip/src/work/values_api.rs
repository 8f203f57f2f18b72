//! Values that streams write and wait for.

use super::operation::Operation;
use super::submit::submit;
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::raw::span;

/// The comparisons of `hipStreamWaitValue`.
const GREATER_OR_EQUAL: u32 = 0;
const EQUAL: u32 = 1;
const AND: u32 = 2;
const NOR: u32 = 3;

/// Compares a value in memory. All work before is done, and what comes later in other streams would come too late.
fn wait(stream: usize, address: usize, bytes: usize, value: u64, flags: u32, mask: u64) -> Status {
    if address == 0 {
        return Err(Code::INVALID_VALUE);
    }
    submit(stream, Operation::Empty)?;
    let mut all = [0; 8];
    all[..bytes].copy_from_slice(&span::read(address, bytes));
    let found = u64::from_le_bytes(all) & mask;
    let is_met = match flags {
        GREATER_OR_EQUAL => found.wrapping_sub(value & mask).cast_signed() >= 0,
        EQUAL => found == value & mask,
        AND => found & value != 0,
        NOR => !(found | value) & mask != 0,
        _ => return Err(Code::INVALID_VALUE),
    };
    if !is_met {
        message::say(&format!(
            "a stream waits at {address:#x} for a value that is not there yet: the simulated runtime runs work in the \
             order of its submission and cannot wait for later work"
        ));
        return Err(Code::NOT_SUPPORTED);
    }
    Ok(())
}

fn write(stream: usize, address: usize, bytes: usize, value: u64) -> Status {
    if address == 0 {
        return Err(Code::INVALID_VALUE);
    }
    submit(stream, Operation::Write { address, value, bytes })
}

api! {
    /// Waits for a word in memory.
    fn hipStreamWaitValue32(stream: usize, address: usize, value: u32, flags: u32, mask: u32) {
        wait(stream, address, 4, u64::from(value), flags, u64::from(mask))
    }

    /// Waits for a double word in memory.
    fn hipStreamWaitValue64(stream: usize, address: usize, value: u64, flags: u32, mask: u64) {
        wait(stream, address, 8, value, flags, mask)
    }

    /// Writes a word into memory.
    fn hipStreamWriteValue32(stream: usize, address: usize, value: u32, _flags: u32) {
        write(stream, address, 4, u64::from(value))
    }

    /// Writes a double word into memory.
    fn hipStreamWriteValue64(stream: usize, address: usize, value: u64, _flags: u32) {
        write(stream, address, 8, value)
    }
}
