//! Image instructions: loads, stores, samples and sizes of linear images.
//!
//! A coordinate is rounded to 8 bits of fraction, as the device library counts on: it rounds coordinates down to
//! whole texels before a sample without filter. Weights of a linear filter have those 8 bits.

use super::access::active;
use super::texel::{pack, select, unpack};
use super::{Class, Def, def};
use crate::env::Env;
use crate::error::Fault;
use crate::image::{AddressMode, Image, ImageShape, Numbers, Sampler};
use crate::inst::{Inst, Kind, Res, Wrap, flag};
use crate::target::Target;
use crate::wave::Wave;

/// All that is known before an image instruction runs.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Registers that the text lists.
    pub(crate) addresses: Vec<u16>,
    pub(crate) mask: u8,
    pub(crate) shape: Option<ImageShape>,
    /// Gradients come before the coordinates.
    gradients: bool,
    /// Further numbers before and after the coordinates, which choose a mipmap.
    around: [usize; 2],
    /// Registers of the scalar operands.
    scalars: &'static [u8],
    /// A mipmap is the one number that it takes.
    is_size: bool,
}

/// Name, semantics, gradients, numbers around the coordinates.
type Row = (&'static str, crate::inst::Exec, bool, [usize; 2]);

const ROWS: [Row; 10] = [
    ("sample", sample, false, [0, 0]),
    ("sample_lz", sample, false, [0, 0]),
    ("sample_l", sample, false, [0, 1]),
    ("sample_b", sample, false, [1, 0]),
    ("sample_d", sample, true, [0, 0]),
    ("load", load, false, [0, 0]),
    ("load_mip", load, false, [0, 1]),
    ("store", store, false, [0, 0]),
    ("store_mip", store, false, [0, 1]),
    ("get_resinfo", size, false, [0, 0]),
];

/// `image_*`
pub(super) fn family(name: &str, inst: &mut Inst, target: Target) -> Option<Def> {
    let rest = name.strip_prefix("image_").filter(|_| target.generation() >= 10)?;
    let &(_, exec, gradients, around) = ROWS.iter().find(|row| row.0 == rest)?;
    let scalars: &[u8] = if rest.starts_with("sample") { &[8, 4] } else { &[8] };
    let (addresses, mask, shape) = (Vec::new(), 0, None);
    let plan = Plan { addresses, mask, shape, gradients, around, scalars, is_size: rest == "get_resinfo" };
    inst.wrap = Some(Box::new(Wrap::Image(Box::new(plan))));
    Some(Def { fix: Some(complete), ..def(Class::Vmem, exec) })
}

/// The shape that `dim` names.
pub(crate) fn shape(name: &str) -> Option<ImageShape> {
    Some(match name.strip_prefix("SQ_RSRC_IMG_")? {
        "1D" => ImageShape::D1,
        "2D" => ImageShape::D2,
        "3D" => ImageShape::D3,
        "1D_ARRAY" => ImageShape::D1Array,
        "2D_ARRAY" => ImageShape::D2Array,
        _ => return None,
    })
}

/// Coordinates of a shape, with the layer.
fn coordinates(shape: ImageShape) -> usize {
    Image::dimensions(shape) + usize::from(matches!(shape, ImageShape::D1Array | ImageShape::D2Array))
}

/// Checks the operands, and lists the registers of addresses.
fn complete(i: &mut Inst, _: Target) -> Option<()> {
    let Some(Wrap::Image(plan)) = i.wrap.as_deref_mut() else { return None };
    let (data, first) = (i.ops[0], i.ops[1]);
    if plan.addresses.is_empty() && first.is_v() {
        plan.addresses = (first.reg..first.reg + u16::from(first.n)).collect();
    }
    let scalars = i.ops[2..].iter().zip(plan.scalars);
    let scalars_fit = scalars.clone().all(|(s, &n)| s.kind == Kind::S && s.n == n);
    let needed = if plan.is_size {
        1
    } else {
        let gradients = if plan.gradients { 2 * Image::dimensions(plan.shape?) } else { 0 };
        gradients + plan.around[0] + coordinates(plan.shape?) + plan.around[1]
    };
    let fits = usize::from(i.nops) == 2 + plan.scalars.len() && plan.addresses.len() >= needed;
    let is_data = data.is_v() && u32::from(data.n) == u32::from(plan.mask).count_ones() && plan.mask < 16;
    (scalars_fit && fits && is_data && plan.mask != 0 && plan.shape.is_some()).then_some(())
}

fn words<const N: usize>(w: &Wave, i: &Inst, operand: usize) -> [u32; N] {
    std::array::from_fn(|k| w.s[usize::from(i.ops[operand].reg) + k])
}

/// The plan, the image and its selects.
fn found<'a>(w: &Wave, i: &'a Inst) -> Result<(&'a Plan, Image, u32), Fault> {
    let Some(Wrap::Image(plan)) = i.wrap.as_deref() else { return Err(Fault::unknown("image")) };
    let (image, selects) = Image::read(&words(w, i, 2), w.generation).map_err(Fault::unknown)?;
    if plan.shape != Some(image.shape) {
        let why = format!("an instruction for {:?}, an image of {:?}", plan.shape, image.shape);
        return Err(Fault::unknown(why));
    }
    Ok((plan, image, selects))
}

/// The coordinates of a lane: x, y, z, of which a layer is the last.
fn position(w: &Wave, plan: &Plan, image: &Image, l: usize) -> [u32; 3] {
    let dimensions = Image::dimensions(image.shape);
    let first = plan.around[0] + if plan.gradients { 2 * dimensions } else { 0 };
    let number = |k: usize| w.v[usize::from(plan.addresses[first + k])][l];
    let mut all = [0; 3];
    all[..dimensions].iter_mut().enumerate().for_each(|(k, at)| *at = number(k));
    if coordinates(image.shape) > dimensions {
        all[2] = number(dimensions);
    }
    all
}

/// The address of a texel; none outside of the image.
fn address(image: &Image, at: [i64; 3]) -> Option<u64> {
    let inside = at.iter().zip(image.extent).all(|(&at, size)| (0..i64::from(size)).contains(&at));
    inside.then(|| {
        let [x, y, z] = at.map(|n| n as u64);
        let row = z * u64::from(image.extent[1]) + y;
        image.address + row * u64::from(image.pitch) + x * u64::from(image.format.bytes())
    })
}

fn fault(kind: &'static str, image: &Image, address: u64, l: usize, reason: String) -> Fault {
    Fault::Access { kind, address, width: image.format.bytes(), lane: Some(l as u32), reason }
}

/// Channels of a texel, which are zero outside of the image.
fn texel(e: &mut Env<'_>, image: &Image, at: [i64; 3], l: usize) -> Result<[u32; 4], Fault> {
    let mut bytes = [0; 16];
    if let Some(address) = address(image, at) {
        let part = &mut bytes[..image.format.bytes() as usize];
        e.mem.read(address, part).map_err(|why| fault("image load", image, address, l, why))?;
    }
    Ok(unpack(image.format, &bytes))
}

/// Writes the words of the mask.
fn give(w: &mut Wave, i: &Inst, plan: &Plan, l: usize, words: [u32; 4]) {
    let wanted = (0..4).filter(|k| plan.mask >> k & 1 != 0);
    for (row, k) in wanted.enumerate() {
        w.v[usize::from(i.ops[0].reg) + row][l] = words[k];
    }
}

/// Refuses a mipmap other than the first.
fn check_level(w: &Wave, plan: &Plan, l: usize) -> Res {
    let level = (plan.around[1] != 0).then(|| coordinates(plan.shape.unwrap_or(ImageShape::D1)));
    let is_other = level.is_some_and(|k| w.v[usize::from(plan.addresses[k])][l] != 0);
    if is_other { Err(Fault::unknown("mipmaps are not simulated")) } else { Ok(()) }
}

fn load(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let (plan, image, selects) = found(w, i)?;
    for l in active(w.exec()) {
        check_level(w, plan, l)?;
        let at = position(w, plan, &image, l).map(|n| i64::from(n.cast_signed()));
        let channels = texel(e, &image, at, l)?;
        give(w, i, plan, l, select(image.format, selects, channels));
    }
    Ok(())
}

fn store(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let (plan, image, _) = found(w, i)?;
    for l in active(w.exec()) {
        check_level(w, plan, l)?;
        let at = position(w, plan, &image, l).map(|n| i64::from(n.cast_signed()));
        let mut rows = (0..4).map(|row| w.v.get(usize::from(i.ops[0].reg) + row).map_or(0, |row| row[l]));
        let first = rows.clone().next().unwrap_or(0);
        // A channel that the mask leaves out is zero, and the first one on gfx12.
        let missing = if w.generation >= 12 { first } else { 0 };
        let channels =
            std::array::from_fn(|k| if plan.mask >> k & 1 != 0 { rows.next().unwrap_or(0) } else { missing });
        if let Some(address) = address(&image, at) {
            let bytes = &pack(image.format, channels)[..image.format.bytes() as usize];
            e.mem.write(address, bytes).map_err(|why| fault("image store", &image, address, l, why))?;
        }
    }
    Ok(())
}

fn size(w: &mut Wave, _: &mut Env<'_>, i: &Inst) -> Res {
    let (plan, image, _) = found(w, i)?;
    if image.shape == ImageShape::D1Array {
        return Err(Fault::unknown("it is not documented where layers of rows are counted"));
    }
    let [width, height, depth] = image.extent;
    for l in active(w.exec()) {
        if w.v[usize::from(plan.addresses[0])][l] != 0 {
            return Err(Fault::unknown("mipmaps are not simulated"));
        }
        give(w, i, plan, l, [width, height, depth, 1]);
    }
    Ok(())
}

/// A coordinate in 256ths of a texel.
fn fixed(x: f32, size: u32, sampler: &Sampler) -> i64 {
    let texels = f64::from(x) * if sampler.is_normalized { f64::from(size) } else { 1.0 };
    let shift = if sampler.is_linear { 0.5 } else { 0.0 };
    ((texels - shift) * 256.0).round_ties_even() as i64
}

/// The texel that stands for one at an index.
fn inside(index: i64, size: u32, mode: AddressMode) -> i64 {
    let size = i64::from(size);
    match mode {
        AddressMode::Wrap => index.rem_euclid(size),
        AddressMode::Mirror => {
            let twice = index.rem_euclid(2 * size);
            twice.min(2 * size - 1 - twice)
        }
        AddressMode::Clamp => index.clamp(0, size - 1),
        AddressMode::Border => index,
    }
}

fn sample(w: &mut Wave, e: &mut Env<'_>, i: &Inst) -> Res {
    let (plan, image, selects) = found(w, i)?;
    let mut sampler = Sampler::read(&words(w, i, 3)).map_err(Fault::unknown)?;
    sampler.is_normalized &= !i.has(flag::UNORM);
    let dimensions = Image::dimensions(image.shape);
    let repeats = |mode: &AddressMode| matches!(mode, AddressMode::Wrap | AddressMode::Mirror);
    if !sampler.is_normalized && sampler.modes[..dimensions].iter().any(repeats) {
        return Err(Fault::unknown("coordinates that count texels do not repeat"));
    }
    if sampler.is_linear && matches!(image.format.numbers, Numbers::Uint | Numbers::Sint) {
        return Err(Fault::unknown("integers have no linear filter"));
    }
    for l in active(w.exec()) {
        let at = position(w, plan, &image, l).map(f32::from_bits);
        let mut whole = [0; 3];
        let mut fraction = [0; 3];
        for k in 0..dimensions {
            let fixed = fixed(at[k], image.extent[k], &sampler);
            (whole[k], fraction[k]) = (fixed >> 8, if sampler.is_linear { fixed & 255 } else { 0 });
        }
        if coordinates(image.shape) > dimensions {
            whole[2] = (at[2].round_ties_even() as i64).clamp(0, i64::from(image.extent[2]) - 1);
        }
        let channels = filtered(e, &image, &sampler, (whole, fraction), l)?;
        give(w, i, plan, l, select(image.format, selects, channels));
    }
    Ok(())
}

/// The sum of texels by their weights, rounded once.
fn filtered(
    e: &mut Env<'_>,
    image: &Image,
    sampler: &Sampler,
    (whole, fraction): ([i64; 3], [i64; 3]),
    l: usize,
) -> Result<[u32; 4], Fault> {
    let dimensions = Image::dimensions(image.shape);
    let at = |corner: usize| {
        let mut at = whole;
        for k in 0..dimensions {
            at[k] = inside(whole[k] + (corner as i64 >> k & 1), image.extent[k], sampler.modes[k]);
        }
        at
    };
    if fraction == [0; 3] {
        return texel(e, image, at(0), l);
    }
    let mut sums = [0f64; 4];
    for corner in 0..1 << dimensions {
        let weight = |k: usize| if corner >> k & 1 != 0 { fraction[k] } else { 256 - fraction[k] };
        let weight: i64 = (0..dimensions).map(weight).product();
        if weight == 0 {
            // A NaN there does not count.
            continue;
        }
        let channels = texel(e, image, at(corner), l)?;
        for (sum, channel) in sums.iter_mut().zip(channels) {
            *sum += f64::from(f32::from_bits(channel)) * weight as f64;
        }
    }
    let all = 256f64.powi(dimensions as i32);
    Ok(sums.map(|sum| ((sum / all) as f32).to_bits()))
}
