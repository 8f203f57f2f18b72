//! The structures that describe copies of boxes, and what they become.

use super::allocate::{Extent, PitchedPointer};
use super::arrays::Array;
use super::copies::{Copy, Side};
use crate::error::Code;
use crate::place::Place;
use crate::raw::In;
use crate::runtime::Runtime;
use crate::version;

/// `hipPos`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Position {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
}

/// `hipMemcpy3DParms`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Box3 {
    pub(crate) from_array: usize,
    pub(crate) from_position: Position,
    pub(crate) from: PitchedPointer,
    pub(crate) to_array: usize,
    pub(crate) to_position: Position,
    pub(crate) to: PitchedPointer,
    pub(crate) extent: Extent,
    pub(crate) kind: i32,
}

/// One side of `hip_Memcpy2D`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Side2 {
    x: usize,
    y: usize,
    kind: i32,
    host: usize,
    device: usize,
    array: usize,
    pitch: usize,
}

/// `hip_Memcpy2D`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Box2 {
    from: Side2,
    to: Side2,
    width: usize,
    height: usize,
}

/// One side of `HIP_MEMCPY3D` of HIP 6.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Side3 {
    x: usize,
    y: usize,
    z: usize,
    level: usize,
    kind: i32,
    host: usize,
    device: usize,
    array: usize,
    pitch: usize,
    height: usize,
}

/// `HIP_MEMCPY3D` of HIP 6.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct DriverBox3 {
    from: Side3,
    to: Side3,
    width: usize,
    height: usize,
    depth: usize,
}

fn array(state: &Runtime, handle: usize) -> Result<&Array, Code> {
    state.arrays.get(&handle).ok_or(Code::INVALID_VALUE)
}

/// The begin of a box in an array; the position counts elements, or bytes in a row.
fn in_array(state: &Runtime, handle: usize, at: Position, is_bytes: bool) -> Result<Side, Code> {
    let array = array(state, handle)?;
    let x = if is_bytes { at.x } else { at.x.checked_mul(array.element).ok_or(Code::INVALID_VALUE)? };
    array.side(x, at.y, at.z)
}

fn in_memory(pointer: PitchedPointer, at: Position) -> Result<Side, Code> {
    let plane = pointer.pitch.checked_mul(pointer.height).ok_or(Code::INVALID_VALUE)?;
    let rows = at.y.checked_mul(pointer.pitch).and_then(|rows| rows.checked_add(at.x));
    let start = at.z.checked_mul(plane).zip(rows).and_then(|(planes, rows)| planes.checked_add(rows));
    let address = start.and_then(|start| pointer.pointer.checked_add(start)).ok_or(Code::INVALID_VALUE)?;
    Ok(Side { address, pitch: pointer.pitch, plane })
}

impl Box3 {
    /// The description of a copy, in addresses and bytes.
    pub(crate) fn of(copy: &Copy) -> Box3 {
        let none = Position { x: 0, y: 0, z: 0 };
        let pointer = |side: &Side| PitchedPointer {
            pointer: side.address,
            pitch: side.pitch,
            width: copy.width,
            height: side.plane.checked_div(side.pitch).unwrap_or(copy.height),
        };
        let extent = Extent { width: copy.width, height: copy.height, depth: copy.depth };
        // The addresses say the direction.
        let (from, to, kind) = (pointer(&copy.from), pointer(&copy.to), 4);
        Box3 { from_array: 0, from_position: none, from, to_array: 0, to_position: none, to, extent, kind }
    }

    /// The copy that it describes. The width counts elements where an array takes part, and bytes otherwise.
    pub(crate) fn copy(&self, state: &Runtime, place: Place) -> Result<Copy, Code> {
        super::copies::Direction::of(self.kind)?;
        let side = |handle, at, pointer| match handle {
            0 => in_memory(pointer, at),
            handle => in_array(state, handle, at, false),
        };
        let arrays = [self.from_array, self.to_array];
        let element = arrays.iter().find(|&&handle| handle != 0);
        let element = element.map_or(Ok(1), |&handle| array(state, handle).map(|array| array.element))?;
        let width = self.extent.width.checked_mul(element).ok_or(Code::INVALID_VALUE)?;
        Ok(Copy {
            to: side(self.to_array, self.to_position, self.to)?,
            from: side(self.from_array, self.from_position, self.from)?,
            width,
            height: self.extent.height.max(1),
            depth: self.extent.depth.max(1),
            place,
        })
    }
}

/// `hipMemoryType` of a driver's copy: host and device memory are the same address space; an array has its own.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Host,
    Device,
    Array,
}

fn kind(number: i32) -> Result<Kind, Code> {
    Ok(match (number, version::wanted()) {
        (0, ..6) | (1, 6..) => Kind::Host,
        (1 | 3, ..6) | (2 | 3 | 11, 6..) => Kind::Device,
        (2, ..6) | (10, 6..) => Kind::Array,
        _ => return Err(Code::INVALID_VALUE),
    })
}

/// One side of a driver's copy.
fn driver_side(state: &Runtime, side: &Side3) -> Result<Side, Code> {
    let at = Position { x: side.x, y: side.y, z: side.z };
    let pointer = match kind(side.kind)? {
        Kind::Array => return in_array(state, side.array, at, true),
        Kind::Device => side.device,
        Kind::Host => side.host,
    };
    in_memory(PitchedPointer { pointer, pitch: side.pitch, width: 0, height: side.height }, at)
}

impl DriverBox3 {
    pub(crate) fn copy(&self, state: &Runtime, place: Place) -> Result<Copy, Code> {
        Ok(Copy {
            to: driver_side(state, &self.to)?,
            from: driver_side(state, &self.from)?,
            width: self.width,
            height: self.height.max(1),
            depth: self.depth.max(1),
            place,
        })
    }
}

/// One side of `HIP_MEMCPY3D` of HIP 5, whose sizes have 32 bits.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct OldSide3 {
    x: u32,
    y: u32,
    z: u32,
    level: u32,
    kind: i32,
    host: usize,
    device: usize,
    array: usize,
    pitch: u32,
    height: u32,
}

/// `HIP_MEMCPY3D` of HIP 5.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct OldDriverBox3 {
    from: OldSide3,
    to: OldSide3,
    width: u32,
    height: u32,
    depth: u32,
}

impl OldSide3 {
    fn widened(&self) -> Side3 {
        let &OldSide3 { kind, host, device, array, .. } = self;
        let [x, y, z, level] = [self.x, self.y, self.z, self.level].map(|n| n as usize);
        let (pitch, height) = (self.pitch as usize, self.height as usize);
        Side3 { x, y, z, level, kind, host, device, array, pitch, height }
    }
}

impl OldDriverBox3 {
    fn widened(&self) -> DriverBox3 {
        let [width, height, depth] = [self.width, self.height, self.depth].map(|n| n as usize);
        DriverBox3 { from: self.from.widened(), to: self.to.widened(), width, height, depth }
    }
}

/// Reads a `HIP_MEMCPY3D` in the layout of the program's HIP.
pub(crate) fn driver_box(what: In<DriverBox3>) -> Result<DriverBox3, Code> {
    if version::wanted() < 6 {
        return Ok(In::<OldDriverBox3>::cast(what).get()?.widened());
    }
    what.get()
}

impl Side2 {
    fn with_planes(self) -> Side3 {
        let Side2 { x, y, kind, host, device, array, pitch } = self;
        Side3 { x, y, z: 0, level: 0, kind, host, device, array, pitch, height: 0 }
    }
}

impl Box2 {
    pub(crate) fn copy(&self, state: &Runtime, place: Place) -> Result<Copy, Code> {
        let (from, to) = (self.from.with_planes(), self.to.with_planes());
        DriverBox3 { from, to, width: self.width, height: self.height, depth: 1 }.copy(state, place)
    }
}
