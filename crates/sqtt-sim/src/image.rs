//! Descriptors of images, texel buffers and samplers: scalar registers that image instructions read.
//!
//! Places of fields are those of ROCm's runtime (`resource_nv.h`, `resource_gfx11.h` and `resource_gfx12.h` of
//! ROCR), numbers of formats those of LLVM's assembler. Images are linear: rows of one pitch, planes of rows.

use crate::target::Target;

/// The numbers that the bits of a channel stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Numbers {
    /// 0 to 1.
    Unorm,
    /// -1 to 1.
    Snorm,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
    /// Floats.
    Float,
}

/// The format of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "all that the formats of this simulator have")]
pub struct TexelFormat {
    /// Channels: 1, 2 or 4.
    pub channels: u8,
    /// Bits of each channel: 8, 16 or 32.
    pub bits: u8,
    /// The meaning of a channel's bits.
    pub numbers: Numbers,
}

/// The shape of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageShape {
    /// A row.
    D1,
    /// Rows.
    D2,
    /// Planes of rows.
    D3,
    /// Layers of one row.
    D1Array,
    /// Layers of rows.
    D2Array,
}

/// A linear image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "all that a linear image has")]
pub struct Image {
    /// The first byte: a multiple of 256.
    pub address: u64,
    /// The shape.
    pub shape: ImageShape,
    /// Texels of a row, rows, and planes or layers; 1 in dimensions that the shape lacks.
    pub extent: [u32; 3],
    /// Bytes from a row to the next. Planes and layers have the least multiple of 256 that holds a row.
    pub pitch: u32,
    /// The format.
    pub format: TexelFormat,
}

/// A buffer that is read texel by texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "all that such a buffer has")]
pub struct TexelBuffer {
    /// The first byte.
    pub address: u64,
    /// The number of texels.
    pub texels: u32,
    /// The format.
    pub format: TexelFormat,
}

/// The texel that stands for one outside of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressMode {
    /// The image repeats.
    Wrap,
    /// The image repeats, every other time mirrored.
    Mirror,
    /// The nearest texel of the edge.
    Clamp,
    /// Transparent black.
    Border,
}

/// The way from coordinates to texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "all that the samplers of this simulator have")]
pub struct Sampler {
    /// A mode for each dimension.
    pub modes: [AddressMode; 3],
    /// Neighbours are weighted; otherwise the nearest texel is taken.
    pub is_linear: bool,
    /// Coordinates go from 0 to 1; otherwise they count texels.
    pub is_normalized: bool,
}

/// Channels, bits, and the number of the format if it were `UNORM`: on gfx10, and later.
const FORMATS: [(u8, u8, u32, u32); 9] = [
    (1, 8, 1, 1),
    (1, 16, 7, 7),
    (2, 8, 14, 14),
    (1, 32, 16, 16),
    (2, 16, 23, 23),
    (4, 8, 56, 42),
    (2, 32, 58, 44),
    (4, 16, 65, 51),
    (4, 32, 71, 57),
];
const NUMBERS: [(Numbers, u32); 5] =
    [(Numbers::Unorm, 0), (Numbers::Snorm, 1), (Numbers::Uint, 4), (Numbers::Sint, 5), (Numbers::Float, 6)];
const SHAPES: [(ImageShape, u64); 5] = [
    (ImageShape::D1, 8),
    (ImageShape::D2, 9),
    (ImageShape::D3, 10),
    (ImageShape::D1Array, 12),
    (ImageShape::D2Array, 13),
];
const MODES: [(AddressMode, u32); 4] =
    [(AddressMode::Wrap, 0), (AddressMode::Mirror, 1), (AddressMode::Clamp, 2), (AddressMode::Border, 6)];

fn code_of<A: Copy + PartialEq, B: Copy>(table: &[(A, B)], key: A) -> Option<B> {
    table.iter().find(|row| row.0 == key).map(|row| row.1)
}

fn of_code<A: Copy, B: Copy + PartialEq>(table: &[(A, B)], code: B) -> Option<A> {
    table.iter().find(|row| row.1 == code).map(|row| row.0)
}

impl TexelFormat {
    /// Bytes of a texel.
    pub fn bytes(&self) -> u32 {
        u32::from(self.channels) * u32::from(self.bits) / 8
    }

    /// The format's number in descriptors, if there is such a format.
    pub(crate) fn code(&self, generation: u8) -> Option<u32> {
        let is_there = match self.numbers {
            Numbers::Float => self.bits > 8,
            Numbers::Unorm | Numbers::Snorm => self.bits < 32,
            _ => true,
        };
        let found = FORMATS.iter().find(|row| (row.0, row.1) == (self.channels, self.bits));
        let &(_, _, gfx10, later) = found.filter(|_| is_there)?;
        Some(if generation == 10 { gfx10 } else { later } + code_of(&NUMBERS, self.numbers)?)
    }

    /// The format of a number.
    pub(crate) fn of(code: u32, generation: u8) -> Option<TexelFormat> {
        let sizes = FORMATS.iter().map(|&(channels, bits, ..)| (channels, bits));
        let all = sizes.flat_map(|(channels, bits)| {
            NUMBERS.iter().map(move |&(numbers, _)| TexelFormat { channels, bits, numbers })
        });
        all.into_iter().find(|format| format.code(generation) == Some(code))
    }

    /// The selects of results: the channels there are, zeros, and a one in place of a missing fourth.
    fn select(&self) -> u64 {
        match self.channels {
            1 => 0o1004,
            2 => 0o1054,
            _ => 0o7654,
        }
    }
}

/// First bit and number of bits.
type Field = (usize, usize);

/// The fields that differ between generations. A width counts from one, as do all sizes here.
struct Layout {
    format: Field,
    width: Field,
    height: Field,
    depth: Field,
    pitch: Field,
    levels: [Field; 2],
}

const SELECT: Field = (96, 12);
const TILING: Field = (116, 5);
const SHAPE: Field = (124, 4);
const FIRST_LAYER: Field = (144, 13);
/// Mipmaps, compression, metadata.
const REST: [Field; 3] = [(160, 32), (192, 32), (224, 32)];
/// gfx10 alone: it is 1.
const RESOURCE_LEVEL: Field = (95, 1);

fn layout(generation: u8) -> Option<Layout> {
    let gfx10 = Layout {
        format: (52, 9),
        width: (62, 14),
        height: (78, 14),
        depth: (128, 13),
        pitch: (128, 14),
        levels: [(108, 4), (112, 4)],
    };
    Some(match generation {
        10 => gfx10,
        11 => Layout { format: (52, 8), ..gfx10 },
        12 => Layout {
            format: (49, 8),
            width: (62, 16),
            height: (78, 16),
            depth: (128, 14),
            pitch: (128, 16),
            levels: [(57, 5), (111, 5)],
        },
        _ => return None,
    })
}

fn get(words: &[u32; 8], (first, bits): Field) -> u64 {
    let high = words.get(first / 32 + 1).copied().unwrap_or(0);
    let both = u64::from(words[first / 32]) | u64::from(high) << 32;
    both >> (first % 32) & ((1 << bits) - 1)
}

/// Sets a field; none where the value has more bits.
fn put(words: &mut [u32; 8], (first, bits): Field, value: u64) -> Option<()> {
    let shifted = value << (first % 32);
    words[first / 32] |= shifted as u32;
    if let Some(high) = words.get_mut(first / 32 + 1) {
        *high |= (shifted >> 32) as u32;
    }
    (value < 1 << bits).then_some(())
}

impl Image {
    /// Dimensions of the shape, without layers.
    pub(crate) fn dimensions(shape: ImageShape) -> usize {
        match shape {
            ImageShape::D1 | ImageShape::D1Array => 1,
            ImageShape::D2 | ImageShape::D2Array => 2,
            ImageShape::D3 => 3,
        }
    }

    fn has_planes(shape: ImageShape) -> bool {
        !matches!(shape, ImageShape::D1 | ImageShape::D2)
    }

    /// The pitch of an image with planes or layers.
    fn padded(&self) -> Option<u32> {
        self.extent[0].checked_mul(self.format.bytes())?.checked_next_multiple_of(256)
    }

    /// The descriptor. None where the target has no images, or the image does not fit.
    pub fn words(&self, target: Target) -> Option<[u32; 8]> {
        let generation = target.generation();
        let layout = layout(generation)?;
        let mut words = [0; 8];
        let [width, height, depth] = self.extent.map(|n| u64::from(n).checked_sub(1));
        put(&mut words, (0, 40), self.address >> 8)?;
        put(&mut words, layout.format, u64::from(self.format.code(generation)?))?;
        put(&mut words, layout.width, width?)?;
        put(&mut words, layout.height, height?)?;
        put(&mut words, SELECT, self.format.select())?;
        put(&mut words, SHAPE, code_of(&SHAPES, self.shape)?)?;
        put(&mut words, RESOURCE_LEVEL, u64::from(generation == 10))?;
        let is_whole = self.address.is_multiple_of(256) && self.pitch.is_multiple_of(256);
        if Image::has_planes(self.shape) {
            put(&mut words, layout.depth, depth?)?;
            return (is_whole && Some(self.pitch) == self.padded()).then_some(words);
        }
        put(&mut words, layout.pitch, u64::from(self.pitch / self.format.bytes()).checked_sub(1)?)?;
        is_whole.then_some(words)
    }

    /// Reads a descriptor: the image, and the selects of its results.
    pub(crate) fn read(words: &[u32; 8], generation: u8) -> Result<(Image, u32), &'static str> {
        let layout = layout(generation).ok_or("this target has no images")?;
        let count = |field| get(words, field) as u32 + 1;
        let shape = of_code(&SHAPES, get(words, SHAPE)).ok_or("the image is no row, plane or box")?;
        if get(words, TILING) != 0 {
            return Err("tiled images are not simulated");
        }
        let others = REST.iter().chain(&layout.levels).chain([&FIRST_LAYER]);
        if others.into_iter().any(|&field| get(words, field) != 0) {
            return Err("mipmaps, compressed images and views of layers are not simulated");
        }
        let format = TexelFormat::of(get(words, layout.format) as u32, generation);
        let format = format.ok_or("this format is not simulated")?;
        let planes = if Image::has_planes(shape) { count(layout.depth) } else { 1 };
        let extent = [count(layout.width), count(layout.height), planes];
        let mut image = Image { address: get(words, (0, 40)) << 8, shape, extent, pitch: 0, format };
        let own = count(layout.pitch).checked_mul(format.bytes());
        let pitch = if Image::has_planes(shape) { image.padded() } else { own };
        image.pitch = pitch.ok_or("the pitch is too large")?;
        Ok((image, get(words, SELECT) as u32))
    }
}

impl TexelBuffer {
    /// The descriptor. None where the target has no images, or no such format.
    pub fn words(&self, target: Target) -> Option<[u32; 4]> {
        let generation = target.generation();
        layout(generation)?;
        let code = self.format.code(generation)?;
        let level = if generation == 10 { 1 << 24 } else { 0 };
        Some([
            self.address as u32,
            (self.address >> 32) as u32 & 0xffff | self.format.bytes() << 16,
            self.texels,
            self.format.select() as u32 | code << 12 | level,
        ])
    }

    /// Format and selects of a buffer descriptor's last word.
    pub(crate) fn format(word: u32, generation: u8) -> Option<(TexelFormat, u32)> {
        layout(generation)?;
        let mask = if generation == 10 { 0x7f } else { 0x3f };
        Some((TexelFormat::of(word >> 12 & mask, generation)?, word & 0xfff))
    }
}

impl Sampler {
    /// The descriptor, which is the same for all targets that have images.
    pub fn words(&self) -> [u32; 4] {
        let mode = |k: usize| code_of(&MODES, self.modes[k]).unwrap_or(0) << (3 * k);
        let filter = u32::from(self.is_linear);
        [
            mode(0) | mode(1) | mode(2) | u32::from(!self.is_normalized) << 15,
            0xfff << 12,
            filter << 20 | filter << 22,
            0,
        ]
    }

    /// Reads a descriptor.
    pub(crate) fn read(words: &[u32; 4]) -> Result<Sampler, &'static str> {
        let mode = |k: u32| of_code(&MODES, words[0] >> (3 * k) & 7).ok_or("an unknown address mode");
        let (magnified, minified, third) = (words[2] >> 20 & 3, words[2] >> 22 & 3, words[2] >> 24 & 3);
        // Anisotropy, degamma, minimum and maximum, coordinates that are cut, a filter of mipmaps.
        let others = words[0] & (7 << 9 | 1 << 20 | 1 << 27 | 3 << 29) | words[2] & 3 << 26;
        if others != 0 || magnified != minified || magnified > 1 || third != 0 || words[3] >> 30 != 0 {
            return Err("this kind of sampler is not simulated");
        }
        Ok(Sampler {
            modes: [mode(0)?, mode(1)?, mode(2)?],
            is_linear: magnified == 1,
            is_normalized: words[0] >> 15 & 1 == 0,
        })
    }
}
