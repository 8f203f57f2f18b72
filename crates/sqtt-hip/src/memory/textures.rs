//! Texture and surface objects: descriptors in device memory, where the device library reads them.
//!
//! An object has eight words of the image (four of a buffer), then the type and the order of its channels and its
//! width, and from the thirteenth word on the sampler. The device library looks at all of them.

use std::collections::HashMap;

use sqtt_sim::{AddressMode, Image, ImageShape, Numbers, Sampler, TexelBuffer, TexelFormat};

use super::allocate::{Request, allocate, release};
use super::allocations::Kind;
use super::arrays::{Array, Channels};
use super::copies::inside;
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::place::Place;
use crate::raw::{In, Out, span};
use crate::runtime::{Runtime, lock};

/// `hipResourceDesc`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Resource {
    /// Array 0, mipmapped array 1, linear 2, rows with a pitch 3.
    kind: i32,
    /// The array, or an address, which the other fields are for.
    first: usize,
    channels: Channels,
    /// Bytes, or the width of rows.
    size: usize,
    height: usize,
    pitch: usize,
}

/// `hipTextureDesc`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Texture {
    modes: [i32; 3],
    filter: i32,
    is_normalized_float: i32,
    is_srgb: i32,
    border: [f32; 4],
    has_normalized_coordinates: i32,
    anisotropy: u32,
    mipmaps: [u32; 4],
}

const _: () = assert!(size_of::<Resource>() == 64 && size_of::<Texture>() == 64);

/// A texture object, or a surface object without a texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Object {
    resource: Resource,
    texture: Option<Texture>,
}

/// Objects by their address.
pub(crate) type Objects = HashMap<usize, Object>;

/// Bits and numbers of the runtime's types of channels, by their number.
const TYPES: [(u8, Numbers, u32); 12] = [
    (8, Numbers::Snorm, 0),
    (16, Numbers::Snorm, 1),
    (8, Numbers::Unorm, 2),
    (16, Numbers::Unorm, 3),
    (8, Numbers::Sint, 8),
    (16, Numbers::Sint, 9),
    (32, Numbers::Sint, 10),
    (8, Numbers::Uint, 11),
    (16, Numbers::Uint, 12),
    (32, Numbers::Uint, 13),
    (16, Numbers::Float, 14),
    (32, Numbers::Float, 15),
];

/// The format of texels, and the runtime's numbers of type and order.
fn format(channels: &Channels, is_normalized: bool) -> Result<(TexelFormat, [u32; 2]), Code> {
    let bytes = channels.bytes()?;
    let bits = channels.bits[0] as u8;
    let count = channels.bits.iter().filter(|&&own| own == channels.bits[0]).count();
    let is_even = usize::from(bits) * count == 8 * bytes;
    let order = match count {
        1 => 1,
        2 => 3,
        4 => 8,
        _ => return Err(Code::INVALID_CHANNEL),
    };
    let numbers = match (channels.kind, is_normalized && bits < 32) {
        (0, true) => Numbers::Snorm,
        (0, false) => Numbers::Sint,
        (1, true) => Numbers::Unorm,
        (1, false) => Numbers::Uint,
        _ => Numbers::Float,
    };
    let row = TYPES.iter().find(|row| (row.0, row.1) == (bits, numbers)).filter(|_| is_even);
    let &(.., kind) = row.ok_or(Code::INVALID_CHANNEL)?;
    Ok((TexelFormat { channels: count as u8, bits, numbers }, [kind, order]))
}

fn number(value: usize) -> Result<u32, Code> {
    u32::try_from(value).map_err(|_| Code::INVALID_VALUE)
}

/// The image of an array.
fn of_array(array: &Array, format: TexelFormat) -> Result<Image, Code> {
    let extent = array.extent;
    let shape = match (array.flags & 1 != 0, extent.height, extent.depth) {
        _ if array.flags & 4 != 0 => return Err(Code::NOT_SUPPORTED),
        (true, 0, _) => ImageShape::D1Array,
        (true, ..) => ImageShape::D2Array,
        (_, 0, _) => ImageShape::D1,
        (.., 0) => ImageShape::D2,
        _ => ImageShape::D3,
    };
    let extent = [extent.width, extent.height.max(1), extent.depth.max(1)];
    let extent = [number(extent[0])?, number(extent[1])?, number(extent[2])?];
    Ok(Image { address: array.address as u64, shape, extent, pitch: number(array.pitch)?, format })
}

fn sampler(texture: &Texture) -> Result<Sampler, Code> {
    let is_normalized = texture.has_normalized_coordinates != 0;
    let mode = |k: usize| match texture.modes[k] {
        0 if is_normalized => Ok(AddressMode::Wrap),
        2 if is_normalized => Ok(AddressMode::Mirror),
        // Coordinates that count texels are clamped in place of repeated.
        0..=2 => Ok(AddressMode::Clamp),
        3 => Ok(AddressMode::Border),
        _ => Err(Code::INVALID_VALUE),
    };
    let is_linear = match texture.filter {
        0 => false,
        1 => true,
        _ => return Err(Code::INVALID_VALUE),
    };
    Ok(Sampler { modes: [mode(0)?, mode(1)?, mode(2)?], is_linear, is_normalized })
}

/// The words of an object.
fn words(state: &Runtime, object: &Object, function: &str, place: Place) -> Result<[u32; 20], Code> {
    let Object { resource, texture } = object;
    let target = state.hardware.target;
    let array = state.arrays.get(&resource.first);
    let channels = match resource.kind {
        0 => array.ok_or(Code::INVALID_VALUE)?.channels,
        1 => return Err(Code::NOT_SUPPORTED),
        2 | 3 if texture.is_some() => resource.channels,
        _ => return Err(Code::INVALID_VALUE),
    };
    let is_normalized = texture.is_some_and(|texture| texture.is_normalized_float != 0);
    let (format, order) = format(&channels, is_normalized)?;
    let is_integer = matches!(format.numbers, Numbers::Uint | Numbers::Sint);
    if let Some(texture) = texture {
        if texture.is_srgb != 0 {
            return Err(Code::NOT_SUPPORTED);
        }
        if is_integer && texture.filter != 0 && resource.kind != 2 {
            return Err(Code::INVALID_VALUE);
        }
    }
    let mut words = [0; 20];
    let &Resource { first, size, height, pitch, .. } = resource;
    let width = if resource.kind == 2 {
        inside(state, function, first, size, place)?;
        let texels = number(size / format.bytes() as usize)?;
        let buffer = TexelBuffer { address: first as u64, texels, format }.words(target);
        words[..4].copy_from_slice(&buffer.ok_or(Code::INVALID_VALUE)?);
        texels
    } else {
        let image = if let Some(array) = array.filter(|_| resource.kind == 0) {
            of_array(array, format)?
        } else {
            let bytes = pitch.checked_mul(height).ok_or(Code::INVALID_VALUE)?;
            inside(state, function, first, bytes, place)?;
            let extent = [number(size)?, number(height)?, 1];
            Image { address: first as u64, shape: ImageShape::D2, extent, pitch: number(pitch)?, format }
        };
        let fits = image.extent[0].checked_mul(format.bytes()).is_some_and(|row| row <= image.pitch);
        let descriptor = image.words(target).filter(|_| fits).ok_or(Code::INVALID_VALUE)?;
        words[..8].copy_from_slice(&descriptor);
        image.extent[0]
    };
    words[8..11].copy_from_slice(&[order[0], order[1], width]);
    if let Some(texture) = texture {
        words[12..16].copy_from_slice(&sampler(texture)?.words());
    }
    Ok(words)
}

/// Makes an object.
fn make(out: Out<usize>, object: Object, made_by: &'static str) -> Status {
    let place = Place::caller();
    let mut state = lock();
    let target = state.hardware.target;
    if target.generation() == 9 {
        message::say_once(&format!("{made_by} at {place}: there are no images on {target}"));
        return Err(Code::NOT_SUPPORTED);
    }
    if out.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let words = words(&state, &object, made_by, place).inspect_err(|&code| {
        if code == Code::NOT_SUPPORTED {
            message::say(&format!("{made_by} at {place}: mipmaps, cubes and sRGB are not simulated"));
        }
    })?;
    let bytes = words.map(u32::to_le_bytes);
    let bytes = bytes.as_flattened();
    let address = allocate(&mut state, &Request { made_by, ..Request::new(bytes.len()) }, place)?;
    span::write(address, bytes);
    state.mark_written(address, Some(bytes.len()));
    state.objects.insert(address, object);
    out.set(address)
}

fn destroy(address: usize, is_texture: bool, freed_by: &'static str) -> Status {
    let place = Place::caller();
    let mut state = lock();
    find(&state, address, is_texture)?;
    state.objects.remove(&address);
    release(&mut state, address, &[Kind::Device], freed_by, place)
}

fn find(state: &Runtime, address: usize, is_texture: bool) -> Result<Object, Code> {
    let found = state.objects.get(&address).filter(|object| object.texture.is_some() == is_texture);
    found.copied().ok_or(Code::INVALID_VALUE)
}

api! {
    /// Makes an object that kernels sample an array or memory by.
    fn hipCreateTextureObject(out: Out<usize>, resource: In<Resource>, texture: In<Texture>, view: In<u8>) {
        if !view.is_null() {
            message::say_once("hipCreateTextureObject: views of a resource are not simulated");
            return Err(Code::NOT_SUPPORTED);
        }
        let object = Object { resource: resource.get()?, texture: Some(texture.get()?) };
        make(out, object, "hipCreateTextureObject")
    }

    /// Frees a texture object.
    fn hipDestroyTextureObject(object: usize) {
        destroy(object, true, "hipDestroyTextureObject")
    }

    /// Gives the resource of a texture object.
    fn hipGetTextureObjectResourceDesc(out: Out<Resource>, object: usize) {
        out.set(find(&lock(), object, true)?.resource)
    }

    /// Gives the description of a texture object.
    fn hipGetTextureObjectTextureDesc(out: Out<Texture>, object: usize) {
        out.set(find(&lock(), object, true)?.texture.ok_or(Code::INVALID_VALUE)?)
    }

    /// Makes an object that kernels load and store an array's elements by. HIP 5 has it under its name of C++.
    fn hipCreateSurfaceObject | _Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc (
        out: Out<usize>, resource: In<Resource>,
    ) {
        make(out, Object { resource: resource.get()?, texture: None }, "hipCreateSurfaceObject")
    }

    /// Frees a surface object.
    fn hipDestroySurfaceObject | _Z23hipDestroySurfaceObjectP13__hip_surface (object: usize) {
        destroy(object, false, "hipDestroySurfaceObject")
    }
}
