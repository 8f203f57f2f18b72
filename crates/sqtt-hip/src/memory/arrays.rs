//! Arrays: boxes of elements, kept as rows with padding, and their functions.

use super::allocate::{Extent, Request, allocate, pitched, release};
use super::allocations::Kind;
use super::copies::Side;
use crate::call::api;
use crate::error::{Code, Status};
use crate::place::Place;
use crate::raw::{In, Out};
use crate::runtime::lock;

/// `hipChannelFormatDesc`: bits of each channel, and their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Channels {
    pub(crate) bits: [i32; 4],
    /// Signed 0, unsigned 1, float 2.
    pub(crate) kind: i32,
}

/// An array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Array {
    pub(crate) address: usize,
    pub(crate) pitch: usize,
    /// Elements; 0 rows of an array of one dimension, 0 planes of one of two.
    pub(crate) extent: Extent,
    /// Bytes of an element.
    pub(crate) element: usize,
    pub(crate) channels: Channels,
    pub(crate) flags: u32,
}

/// `HIP_ARRAY_DESCRIPTOR`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Descriptor2 {
    width: usize,
    height: usize,
    format: i32,
    channels: u32,
}

/// `HIP_ARRAY3D_DESCRIPTOR`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Descriptor3 {
    width: usize,
    height: usize,
    depth: usize,
    format: i32,
    channels: u32,
    flags: u32,
}

/// `hipArray_Format`: number, bits, kind.
const FORMATS: [(i32, i32, i32); 8] =
    [(1, 8, 1), (2, 16, 1), (3, 32, 1), (8, 8, 0), (9, 16, 0), (10, 32, 0), (0x10, 16, 2), (0x20, 32, 2)];

impl Channels {
    /// Bytes of an element, or an error where they are none.
    pub(crate) fn bytes(&self) -> Result<usize, Code> {
        let bits: i32 = self.bits.iter().sum();
        let is_known = self.bits.iter().all(|bits| matches!(bits, 0 | 8 | 16 | 32)) && self.bits[0] != 0;
        if !is_known || !(0..=2).contains(&self.kind) {
            return Err(Code::INVALID_CHANNEL);
        }
        Ok(bits.cast_unsigned() as usize / 8)
    }

    /// Channels of a driver's format.
    fn of_format(format: i32, channels: u32) -> Result<Channels, Code> {
        let found = FORMATS.iter().find(|row| row.0 == format).ok_or(Code::INVALID_VALUE)?;
        if !matches!(channels, 1 | 2 | 4) {
            return Err(Code::INVALID_VALUE);
        }
        let bits = [0, 1, 2, 3].map(|channel| if channel < channels { found.1 } else { 0 });
        Ok(Channels { bits, kind: found.2 })
    }

    /// The driver's format of channels, and their number.
    fn format(&self) -> (i32, u32) {
        let found = FORMATS.iter().find(|row| (row.1, row.2) == (self.bits[0], self.kind));
        let count = self.bits.iter().filter(|&&bits| bits != 0).count();
        (found.map_or(0, |row| row.0), count as u32)
    }
}

impl Array {
    /// The side of a copy that begins at a byte of a row.
    pub(crate) fn side(&self, x: usize, y: usize, z: usize) -> Result<Side, Code> {
        let Extent { width, height, depth } = self.extent;
        if x > width * self.element || y > height.max(1) || z > depth.max(1) {
            return Err(Code::INVALID_VALUE);
        }
        let plane = self.pitch * height.max(1);
        Ok(Side { address: self.address + z * plane + y * self.pitch + x, pitch: self.pitch, plane })
    }
}

/// Makes an array.
fn make(out: Out<usize>, channels: Channels, extent: Extent, flags: u32, made_by: &'static str) -> Status {
    if out.is_null() || extent.width == 0 || (extent.depth != 0 && extent.height == 0 && flags & 1 == 0) {
        return Err(Code::INVALID_VALUE);
    }
    let element = channels.bytes()?;
    let rows = extent.height.max(1).checked_mul(extent.depth.max(1)).ok_or(Code::OUT_OF_MEMORY)?;
    let width = extent.width.checked_mul(element).ok_or(Code::OUT_OF_MEMORY)?;
    let (pitch, size) = pitched(width, rows)?;
    let place = Place::caller();
    let mut state = lock();
    let address = allocate(&mut state, &Request { made_by, ..Request::new(size) }, place)?;
    let handle = state.handle();
    state.arrays.insert(handle, Array { address, pitch, extent, element, channels, flags });
    out.set(handle)
}

/// The channels with that many bits.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipCreateChannelDesc(x: i32, y: i32, z: i32, w: i32, kind: i32) -> Channels {
    Channels { bits: [x, y, z, w], kind }
}

api! {
    /// Allocates an array of one or two dimensions.
    fn hipMallocArray(out: Out<usize>, channels: In<Channels>, width: usize, height: usize, flags: u32) {
        make(out, channels.get()?, Extent { width, height, depth: 0 }, flags, "hipMallocArray")
    }

    /// Allocates an array of up to three dimensions.
    fn hipMalloc3DArray(out: Out<usize>, channels: In<Channels>, extent: Extent, flags: u32) {
        make(out, channels.get()?, extent, flags, "hipMalloc3DArray")
    }

    /// Allocates an array of one or two dimensions.
    fn hipArrayCreate(out: Out<usize>, descriptor: In<Descriptor2>) {
        let Descriptor2 { width, height, format, channels } = descriptor.get()?;
        make(out, Channels::of_format(format, channels)?, Extent { width, height, depth: 0 }, 0, "hipArrayCreate")
    }

    /// Allocates an array of up to three dimensions.
    fn hipArray3DCreate(out: Out<usize>, descriptor: In<Descriptor3>) {
        let Descriptor3 { width, height, depth, format, channels, flags } = descriptor.get()?;
        make(out, Channels::of_format(format, channels)?, Extent { width, height, depth }, flags, "hipArray3DCreate")
    }

    /// Frees an array.
    fn hipFreeArray | hipArrayDestroy (array: usize) {
        let place = Place::caller();
        let mut state = lock();
        if array == 0 {
            return Err(Code::INVALID_VALUE);
        }
        let was = state.arrays.remove(&array).ok_or(Code::CONTEXT_DESTROYED)?;
        release(&mut state, was.address, &[Kind::Device], "hipFreeArray", place)
    }

    /// Gives the channels of an array.
    fn hipGetChannelDesc(out: Out<Channels>, array: usize) {
        let state = lock();
        out.set(state.arrays.get(&array).ok_or(Code::INVALID_VALUE)?.channels)
    }

    /// Gives channels, extent and flags of an array.
    fn hipArrayGetInfo(channels: Out<Channels>, extent: Out<Extent>, flags: Out<u32>, array: usize) {
        let state = lock();
        let array = state.arrays.get(&array).ok_or(Code::INVALID_HANDLE)?;
        channels.set_if_there(array.channels);
        extent.set_if_there(array.extent);
        flags.set_if_there(array.flags);
        Ok(())
    }

    /// Gives the description of an array of up to two dimensions.
    fn hipArrayGetDescriptor(out: Out<Descriptor2>, array: usize) {
        let state = lock();
        let array = state.arrays.get(&array).ok_or(Code::INVALID_HANDLE)?;
        let (format, channels) = array.channels.format();
        out.set(Descriptor2 { width: array.extent.width, height: array.extent.height, format, channels })
    }

    /// Gives the description of an array.
    fn hipArray3DGetDescriptor(out: Out<Descriptor3>, array: usize) {
        let state = lock();
        let array = state.arrays.get(&array).ok_or(Code::INVALID_HANDLE)?;
        let (format, channels) = array.channels.format();
        let Extent { width, height, depth } = array.extent;
        out.set(Descriptor3 { width, height, depth, format, channels, flags: array.flags })
    }
}
