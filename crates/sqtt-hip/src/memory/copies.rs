//! Copies: all are boxes of rows, whatever function asked for them.

use super::allocate::beyond;
use super::allocations::Kind;
use crate::error::{Code, Status};
use crate::message;
use crate::place::Place;
use crate::profile;
use crate::raw::span;
use crate::runtime::{Runtime, lock};

/// `hipMemcpyKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    Any,
}

impl Direction {
    pub(crate) fn of(kind: i32) -> Result<Direction, Code> {
        match kind {
            0 => Ok(Direction::HostToHost),
            1 => Ok(Direction::HostToDevice),
            2 => Ok(Direction::DeviceToHost),
            3 | 1024 => Ok(Direction::DeviceToDevice),
            4 => Ok(Direction::Any),
            _ => Err(Code::INVALID_DIRECTION),
        }
    }
}

/// One side of a copy: an address, and the distances of its rows and planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) address: usize,
    pub(crate) pitch: usize,
    pub(crate) plane: usize,
}

/// A copy of `width` bytes of `height` rows of `depth` planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) to: Side,
    pub(crate) from: Side,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    pub(crate) place: Place,
}

impl Side {
    /// Bytes in a row.
    pub(crate) fn line(address: usize) -> Side {
        Side { address, pitch: 0, plane: 0 }
    }

    /// The number of bytes from the first to the end of the last; none where that is no number.
    pub(crate) fn reach(&self, width: usize, height: usize, depth: usize) -> Option<usize> {
        let rows = self.pitch.checked_mul(height.checked_sub(1)?)?;
        let planes = self.plane.checked_mul(depth.checked_sub(1)?)?;
        width.checked_add(rows)?.checked_add(planes)
    }

    fn row(&self, y: usize, z: usize) -> usize {
        self.address + z * self.plane + y * self.pitch
    }
}

impl Copy {
    /// A copy of bytes in a row.
    pub(crate) fn line(to: usize, from: usize, size: usize, place: Place) -> Copy {
        Copy { to: Side::line(to), from: Side::line(from), width: size, height: 1, depth: 1, place }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }

    /// Refuses null, rows that overlap, and what lies beyond an allocation or in memory that was freed.
    pub(crate) fn check(&self, state: &Runtime, function: &str) -> Status {
        if self.is_empty() {
            return Ok(());
        }
        for side in [&self.to, &self.from] {
            if self.height > 1 && side.pitch < self.width {
                return Err(Code::INVALID_PITCH);
            }
            let reach = side.reach(self.width, self.height, self.depth).ok_or(Code::INVALID_VALUE)?;
            inside(state, function, side.address, reach, self.place)?;
        }
        Ok(())
    }

    /// The note of its run.
    pub(crate) fn noted(&self) -> Option<profile::What> {
        let state = lock();
        let device = |side: &Side| {
            let found = state.memory.at(side.address);
            found.filter(|a| matches!(a.kind, Kind::Device | Kind::Managed)).map(|a| a.device)
        };
        let side = |side: &Side| profile::Side { device: device(side), address: side.address };
        let size = self.width * self.height * self.depth;
        (size != 0).then(|| profile::What::Copy { to: side(&self.to), from: side(&self.from), size })
    }

    /// Does it.
    pub(crate) fn run(&self) {
        if self.is_empty() {
            return;
        }
        for z in 0..self.depth {
            for y in 0..self.height {
                span::copy(self.to.row(y, z), self.from.row(y, z), self.width);
            }
        }
    }
}

/// Refuses a range that an allocation begins and does not hold, and one in memory that was freed.
pub(crate) fn inside(state: &Runtime, function: &str, address: usize, size: usize, place: Place) -> Status {
    if address == 0 {
        return Err(Code::INVALID_VALUE);
    }
    match state.memory.at(address) {
        Some(a) if a.kind == Kind::Registered || size <= a.size - (address - a.base) => Ok(()),
        Some(allocation) => {
            beyond(function, address, size, allocation, place);
            Err(Code::INVALID_VALUE)
        }
        None if state.memory.arena.contains(address) => {
            let why = state.memory.describe(address);
            message::say(&format!("{function} at {place}: {address:#x} is {why}"));
            Err(Code::INVALID_VALUE)
        }
        // The program's own memory.
        None => Ok(()),
    }
}
