//! Fills: `hipMemset` and its relatives, all as boxes of rows.

use super::allocate::{Extent, PitchedPointer};
use super::copies::{Side, inside};
use crate::call::api;
use crate::error::{Code, Status};
use crate::place::Place;
use crate::raw::span;
use crate::runtime::Runtime;
use crate::work::operation::Operation;
use crate::work::submit::submit;

/// A fill with a pattern of 1, 2 or 4 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) to: Side,
    /// Bytes of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    pub(crate) value: u32,
    /// Bytes of the pattern.
    pub(crate) element: usize,
    pub(crate) place: Place,
}

impl Fill {
    /// A row of elements.
    fn line(address: usize, value: u32, element: usize, count: usize) -> Result<Fill, Code> {
        let width = count.checked_mul(element).ok_or(Code::INVALID_VALUE)?;
        Ok(Fill {
            to: Side::line(address),
            width,
            height: 1,
            depth: 1,
            value,
            element,
            place: Place::caller(),
        })
    }

    fn rows(address: usize, pitch: usize, value: i32, extent: Extent, plane: usize) -> Fill {
        let Extent { width, height, depth } = extent;
        let to = Side { address, pitch, plane };
        Fill { to, width, height, depth, value: value.cast_unsigned(), element: 1, place: Place::caller() }
    }

    /// Refuses what is not inside of an allocation.
    pub(crate) fn check(&self, state: &Runtime) -> Status {
        if self.width == 0 || self.height == 0 || self.depth == 0 {
            return Ok(());
        }
        if self.height > 1 && self.to.pitch < self.width {
            return Err(Code::INVALID_PITCH);
        }
        let reach = self.to.reach(self.width, self.height, self.depth).ok_or(Code::INVALID_VALUE)?;
        inside(state, "hipMemset", self.to.address, reach, self.place)
    }

    /// Does it.
    pub(crate) fn run(&self) {
        let pattern = self.value.to_le_bytes();
        for z in 0..self.depth {
            for y in 0..self.height {
                let row = self.to.address + z * self.to.plane + y * self.to.pitch;
                span::fill(row, &pattern[..self.element.min(4)], self.width);
            }
        }
    }
}

fn fill(stream: usize, fill: Fill) -> Status {
    submit(stream, Operation::Fill(fill))
}

fn planes(to: PitchedPointer, value: i32, extent: Extent) -> Fill {
    Fill::rows(to.pointer, to.pitch, value, extent, to.pitch.saturating_mul(to.height))
}

api! {
    /// Fills bytes.
    fn hipMemset | hipMemset_spt (to: usize, value: i32, size: usize) {
        fill(0, Fill::line(to, value.cast_unsigned(), 1, size)?)
    }

    /// Fills bytes, in a stream.
    fn hipMemsetAsync | hipMemsetAsync_spt (to: usize, value: i32, size: usize, stream: usize) {
        fill(stream, Fill::line(to, value.cast_unsigned(), 1, size)?)
    }

    /// Fills bytes.
    fn hipMemsetD8(to: usize, value: u8, count: usize) {
        fill(0, Fill::line(to, u32::from(value), 1, count)?)
    }

    /// Fills bytes, in a stream.
    fn hipMemsetD8Async(to: usize, value: u8, count: usize, stream: usize) {
        fill(stream, Fill::line(to, u32::from(value), 1, count)?)
    }

    /// Fills half words.
    fn hipMemsetD16(to: usize, value: u16, count: usize) {
        fill(0, Fill::line(to, u32::from(value), 2, count)?)
    }

    /// Fills half words, in a stream.
    fn hipMemsetD16Async(to: usize, value: u16, count: usize, stream: usize) {
        fill(stream, Fill::line(to, u32::from(value), 2, count)?)
    }

    /// Fills words.
    fn hipMemsetD32(to: usize, value: i32, count: usize) {
        fill(0, Fill::line(to, value.cast_unsigned(), 4, count)?)
    }

    /// Fills words, in a stream.
    fn hipMemsetD32Async(to: usize, value: i32, count: usize, stream: usize) {
        fill(stream, Fill::line(to, value.cast_unsigned(), 4, count)?)
    }

    /// Fills rows.
    fn hipMemset2D | hipMemset2D_spt (to: usize, pitch: usize, value: i32, width: usize, height: usize) {
        fill(0, Fill::rows(to, pitch, value, Extent { width, height, depth: 1 }, 0))
    }

    /// Fills rows, in a stream.
    fn hipMemset2DAsync | hipMemset2DAsync_spt (
        to: usize, pitch: usize, value: i32, width: usize, height: usize, stream: usize,
    ) {
        fill(stream, Fill::rows(to, pitch, value, Extent { width, height, depth: 1 }, 0))
    }

    /// Fills planes of rows.
    fn hipMemset3D | hipMemset3D_spt (to: PitchedPointer, value: i32, extent: Extent) {
        fill(0, planes(to, value, extent))
    }

    /// Fills planes of rows, in a stream.
    fn hipMemset3DAsync | hipMemset3DAsync_spt (
        to: PitchedPointer, value: i32, extent: Extent, stream: usize,
    ) {
        fill(stream, planes(to, value, extent))
    }
}
