//! Images: `image_sample` and its forms, `image_load`, `image_store`, `image_get_resinfo`; formatted buffers.

use sqtt_sim::{AddressMode, Arg, Image, ImageShape, Numbers, Sampler, Target, TexelFormat};

use crate::asm::{self, LANES, Shape};

mod formats;

const TARGETS: [(&str, u8); 4] = [("gfx1030", 10), ("gfx1100", 11), ("gfx1200", 12), ("gfx1201", 12)];
const FLOATS: TexelFormat = TexelFormat { channels: 1, bits: 32, numbers: Numbers::Float };

/// An instruction with what it needs: the words of a descriptor and of a sampler, and `v[10:13]`.
struct Case {
    descriptor: Vec<u32>,
    sampler: [u32; 4],
    line: String,
    inputs: [[u32; 4]; LANES],
}

/// Words of the image after all, and the results of each lane of each case.
type Ran = (Vec<u32>, Vec<Vec<[u32; 4]>>);

/// Runs cases one after another, with results in `v[20:23]`; `s[8:15]` describes the image at the first argument,
/// `s[16:19]` is the sampler.
fn run_all((target, generation): (&str, u8), image: &[u32], cases: &[Case]) -> Result<Ran, String> {
    let mut body = String::from(
        "\ts_load_b128 s[4:7], s[0:1], 0x0\n\ts_load_b64 s[2:3], s[0:1], 0x10\n\tv_lshlrev_b32 v1, 4, v0\n",
    );
    for case in cases {
        // An image's address counts 256 bytes.
        let shift = if case.descriptor.len() == 8 { 8 } else { 0 };
        body += &format!("\tglobal_load_b128 v[10:13], v1, s[6:7]\n\ts_lshr_b64 s[8:9], s[4:5], {shift}\n");
        for (k, word) in case.descriptor.iter().enumerate() {
            let register = 8 + k;
            body += &match k {
                0 | 1 => format!("\ts_or_b32 s{register}, s{register}, {word:#x}\n"),
                _ => format!("\ts_mov_b32 s{register}, {word:#x}\n"),
            };
        }
        for (k, word) in case.sampler.iter().enumerate() {
            body += &format!("\ts_mov_b32 s{}, {word:#x}\n", 16 + k);
        }
        for row in 20..24 {
            body += &format!("\tv_mov_b32 v{row}, 0x55aa55aa\n");
        }
        let store = "global_store_b128 v1, v[20:23], s[2:3]";
        body += &format!("\tv_mov_b32 v14, 0\n\t{}\n\t{store}\n\tv_add_nc_u32 v1, 0x200, v1\n", case.line);
    }
    let shape = Shape { args: 3, ..Shape::default() };
    let text = asm::kernel(target, generation, shape, &asm::spell(&body, generation));
    let program = asm::assemble(&asm::clang(), target, &text);
    let inputs: Vec<u32> = cases.iter().flat_map(|case| case.inputs.as_flattened().iter().copied()).collect();
    let args = vec![Arg::words(image), Arg::words(&inputs), Arg::words(&vec![0; inputs.len()])];
    let result = asm::launch(&program, LANES as u32, args).map_err(|error| error.to_string())?;
    let out: Vec<[u32; 4]> =
        result.buffers[2].words().chunks(4).map(|four| four.try_into().unwrap()).collect();
    Ok((result.buffers[0].words(), out.chunks(LANES).map(<[_]>::to_vec).collect()))
}

/// Runs one case.
fn run(
    target: (&str, u8),
    image: &[u32],
    descriptor: &[u32],
    sampler: [u32; 4],
    line: &str,
    inputs: &[[u32; 4]; LANES],
) -> Result<(Vec<u32>, Vec<[u32; 4]>), String> {
    let case = Case { descriptor: descriptor.to_vec(), sampler, line: line.to_owned(), inputs: *inputs };
    let (stored, mut out) = run_all(target, image, &[case])?;
    Ok((stored, out.remove(0)))
}

/// Registers of an address: a list of neighbours, which only gfx12 has to spell.
fn at(generation: u8, registers: std::ops::Range<u8>) -> String {
    match (generation, registers.len()) {
        (_, 1) => format!("v{}", registers.start),
        (12, _) => format!("[{}]", registers.map(|r| format!("v{r}")).collect::<Vec<_>>().join(", ")),
        _ => format!("v[{}:{}]", registers.start, registers.end - 1),
    }
}

fn float(x: f32) -> u32 {
    x.to_bits()
}

/// Descriptors, word for word: an image of 8 × 4 texels of four bytes, in rows of 256.
#[test]
fn an_image_is_loaded_and_stored_by_its_descriptor() {
    let descriptors = [
        [0, 0xc380_0000, 0x8000_c001, 0x9000_0fac, 63, 0, 0, 0],
        [0, 0xc2a0_0000, 0x0000_c001, 0x9000_0fac, 63, 0, 0, 0],
        [0, 0xc054_0000, 0x0000_c001, 0x9000_0fac, 63, 0, 0, 0],
        [0, 0xc054_0000, 0x0000_c001, 0x9000_0fac, 63, 0, 0, 0],
    ];
    let image: Vec<u32> = (0..4 * 64).map(|k: u32| k.wrapping_mul(0x0102_0408)).collect();
    // One row and one column more on each side.
    let inputs = std::array::from_fn(|l| [l as u32 % 10, l as u32 / 10, 0, 0].map(|n| n.wrapping_sub(1)));
    for (&(target, generation), descriptor) in TARGETS.iter().zip(descriptors) {
        let format = TexelFormat { channels: 4, bits: 8, numbers: Numbers::Unorm };
        let own = Image { address: 0, shape: ImageShape::D2, extent: [8, 4, 1], pitch: 256, format };
        assert_eq!(own.words(target.parse().unwrap()), Some(descriptor), "{target}");
        let at = at(generation, 10..12);
        for (name, more) in [("image_load", String::new()), ("image_load_mip", ", v14".to_owned())] {
            let at = if more.is_empty() { at.clone() } else { format!("[v10, v11{more}]") };
            let line = format!("{name} v[20:22], {at}, s[8:15] dmask:0xd dim:SQ_RSRC_IMG_2D");
            let (_, out) = run((target, generation), &image, &descriptor, [0; 4], &line, &inputs).unwrap();
            for (l, got) in out.iter().enumerate() {
                let [x, y] = [inputs[l][0], inputs[l][1]];
                let texel = if x < 8 && y < 4 { image[(64 * y + x) as usize] } else { 0 };
                let byte = |k: u32| float((texel >> (8 * k) & 0xff) as f32 / 255.0);
                assert_eq!(*got, [byte(0), byte(2), byte(3), 0x55aa_55aa], "{target} {line} lane {l}");
            }
        }
        for (mask, channels) in [(0xf, [7, 9, 11, 13]), (0x3, [7, 9, 0, 0]), (0x1, [7, 0, 0, 0])] {
            let registers = ["", "v16", "v[16:17]", "", "v[16:19]"][(mask as u32).count_ones() as usize];
            let fill: String = (0..4)
                .map(|k| format!("v_mov_b32 v{}, {:#x}\n\t", 16 + k, float((7 + 2 * k) as f32 / 255.0)))
                .collect();
            for name in ["image_store", "image_store_mip"] {
                let at = if name == "image_store" { at.clone() } else { "[v10, v11, v14]".to_owned() };
                let line =
                    format!("{fill}{name} {registers}, {at}, s[8:15] dmask:{mask:#x} dim:SQ_RSRC_IMG_2D");
                let (stored, _) =
                    run((target, generation), &image, &descriptor, [0; 4], &line, &inputs).unwrap();
                // gfx12 repeats the first channel.
                let channels =
                    if generation == 12 && mask != 0xf { channels.map(|c| c.max(7)) } else { channels };
                let value = channels.iter().enumerate().fold(0, |word, (k, c)| word | c << (8 * k));
                for (k, (&now, &before)) in stored.iter().zip(&image).enumerate() {
                    let (x, y) = (k % 64, k / 64);
                    let is_written = inputs.iter().any(|i| (i[0] as usize, i[1] as usize) == (x, y)) && x < 8;
                    assert_eq!(now, if is_written { value } else { before }, "{target} {line} {x} {y}");
                }
            }
        }
        let line =
            "v_mov_b32 v14, 0\n\timage_get_resinfo v[20:23], v14, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D";
        let (_, out) = run((target, generation), &image, &descriptor, [0; 4], line, &inputs).unwrap();
        assert_eq!(out[5], [8, 4, 1, 1], "{target}");
    }
}

/// The texel for an index, found by a walk.
fn reference_index(mode: AddressMode, index: i64, size: i64) -> Option<i64> {
    let (mut at, mut step) = (0i64, 1i64);
    match mode {
        AddressMode::Clamp => {
            return Some(if index < 0 {
                0
            } else if index >= size {
                size - 1
            } else {
                index
            });
        }
        AddressMode::Wrap => return Some(((index % size) + size) % size),
        AddressMode::Mirror => {}
        _ => return (index >= 0 && index < size).then_some(index),
    }
    // A walk from 0 that turns round at both ends, where it stays for a step.
    for _ in 0..(if index < 0 { -index - 1 } else { index }) {
        let next = at + step;
        if (0..size).contains(&next) { at = next } else { step = -step }
    }
    Some(at)
}

/// A sample, dimension after dimension.
fn reference(
    image: &Image,
    words: &[u32],
    sampler: &Sampler,
    coordinates: &[f32],
    chosen: &mut Vec<i64>,
) -> f64 {
    let k = coordinates.len() - chosen.len();
    if k == 0 {
        let at: Vec<usize> = chosen.iter().rev().map(|&n| n as usize).collect();
        let plane = |k: usize| at.get(k).copied().unwrap_or(0);
        let row = plane(2) * image.extent[1] as usize + plane(1);
        return f64::from(f32::from_bits(words[row * image.pitch as usize / 4 + at[0]]));
    }
    let size = image.extent[k - 1];
    let scale = if sampler.is_normalized { f64::from(size) } else { 1.0 };
    let fixed = |x: f64| (x * 256.0).round_ties_even() as i64;
    let texels = f64::from(coordinates[k - 1]) * scale;
    let (first, fraction) = if sampler.is_linear {
        let fixed = fixed(texels - 0.5);
        (fixed.div_euclid(256), fixed.rem_euclid(256))
    } else {
        (fixed(texels).div_euclid(256), 0)
    };
    let mut sum = 0.0;
    for (index, weight) in [(first, 256 - fraction), (first + 1, fraction)] {
        if let Some(index) = reference_index(sampler.modes[k - 1], index, i64::from(size)) {
            chosen.push(index);
            sum += weight as f64 / 256.0 * reference(image, words, sampler, coordinates, chosen);
            chosen.pop();
        }
    }
    sum
}

#[test]
fn samples_of_every_shape_mode_and_filter() {
    const MODES: [AddressMode; 4] =
        [AddressMode::Wrap, AddressMode::Mirror, AddressMode::Clamp, AddressMode::Border];
    let shapes = [
        ("1D", ImageShape::D1, [7, 1, 1]),
        ("2D", ImageShape::D2, [7, 5, 1]),
        ("3D", ImageShape::D3, [7, 5, 3]),
    ];
    for (n, &target) in TARGETS.iter().enumerate() {
        for (dimensions, &(dim, shape, extent)) in (1..).zip(&shapes) {
            let image = Image { address: 0, shape, extent, pitch: 256, format: FLOATS };
            let words: Vec<u32> = (0..64 * extent[1] * extent[2])
                .map(|k| float((k.wrapping_mul(2_654_435_761) >> 20) as f32))
                .collect();
            let descriptor = image.words(target.0.parse().unwrap()).unwrap();
            let mut cases = Vec::new();
            let mut samplers = Vec::new();
            for case in 0..12 {
                let (is_linear, is_normalized) = (case % 2 == 0, case < 8);
                // Coordinates that count texels do not repeat.
                let mode =
                    |k: usize| MODES[if is_normalized { case / 2 + k } else { 2 + (case / 2 + k) % 2 } % 4];
                let sampler = Sampler { modes: [mode(0), mode(1), mode(2)], is_linear, is_normalized };
                let inputs = std::array::from_fn(|l| {
                    std::array::from_fn(|k| {
                        let u = ((l * (2 * k + 5) + 3 * k + n) % 37) as f32 / 12.0 - 1.1;
                        float(if is_normalized { u } else { u * extent[k.min(2)] as f32 })
                    })
                });
                // All forms choose the one mipmap there is.
                let (name, registers) = match case % 5 {
                    0 => ("image_sample", 10..10 + dimensions),
                    1 => ("image_sample_lz", 10..10 + dimensions),
                    2 => ("image_sample_l", 10..11 + dimensions),
                    3 => ("image_sample_b", 9..10 + dimensions),
                    _ => ("image_sample_d", 10 - 2 * dimensions..10 + dimensions),
                };
                let at = at(target.1, registers);
                if target.1 == 12 && at.matches('v').count() > 5 {
                    continue;
                }
                let line = format!("{name} v20, {at}, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_{dim}");
                let descriptor = descriptor.to_vec();
                cases.push(Case { descriptor, sampler: sampler.words(), line, inputs });
                samplers.push(sampler);
            }
            let (_, out) = run_all(target, &words, &cases).unwrap();
            for ((case, sampler), out) in cases.iter().zip(&samplers).zip(out) {
                for (l, got) in out.iter().enumerate() {
                    let at = case.inputs[l][..dimensions as usize].iter().map(|&u| f32::from_bits(u));
                    let at: Vec<f32> = at.collect();
                    let want = reference(&image, &words, sampler, &at, &mut Vec::new()) as f32;
                    let got = f32::from_bits(got[0]);
                    assert_eq!(got, want, "{target:?} {} {sampler:?} lane {l} at {at:?}", case.line);
                }
            }
        }
    }
}

/// A layer is the nearest one there is; the registers of an address need not be neighbours.
#[test]
fn samples_of_layers() {
    for target in TARGETS {
        for (dim, shape, rows) in [("1D", ImageShape::D1Array, 1), ("2D", ImageShape::D2Array, 2)] {
            let image = Image { address: 0, shape, extent: [4, rows, 3], pitch: 256, format: FLOATS };
            let words: Vec<u32> = (0..64 * rows * 3).map(|k| float(k as f32)).collect();
            let sampler = Sampler { modes: [AddressMode::Clamp; 3], is_linear: false, is_normalized: false };
            let inputs =
                std::array::from_fn(|l| [l as f32 % 4.0 + 0.5, 1.25, l as f32 * 0.5 - 1.0, 0.0].map(float));
            let at = if rows == 1 { "[v10, v12]" } else { "[v10, v11, v12]" };
            let line =
                format!("image_sample_lz v20, {at}, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_{dim}_ARRAY");
            let descriptor = image.words(target.0.parse().unwrap()).unwrap();
            let (_, out) = run(target, &words, &descriptor, sampler.words(), &line, &inputs).unwrap();
            for (l, got) in out.iter().enumerate() {
                let layer = (l as f32 * 0.5 - 1.0).round_ties_even().clamp(0.0, 2.0);
                let want = 64.0 * (layer * rows as f32 + (rows - 1) as f32) + l as f32 % 4.0;
                assert_eq!(f32::from_bits(got[0]), want, "{target:?} {dim} lane {l}");
            }
        }
    }
}

#[test]
fn what_is_not_simulated_is_refused() {
    let image = Image { address: 0, shape: ImageShape::D2, extent: [4, 4, 1], pitch: 256, format: FLOATS };
    let inputs = [[0; 4]; LANES];
    let words = [0; 256];
    let plain = Sampler { modes: [AddressMode::Wrap; 3], is_linear: false, is_normalized: true };
    for target in TARGETS {
        let own = image.words(target.0.parse().unwrap()).unwrap();
        let at = at(target.1, 10..12);
        let line = format!("image_sample_lz v20, {at}, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D");
        let error = |descriptor: [u32; 8], sampler: Sampler, line: &str| {
            run(target, &words, &descriptor, sampler.words(), line, &inputs).err().unwrap_or_default()
        };
        assert_eq!(error(own, plain, &line), "");
        let with = |word: usize, bits: u32| {
            let mut words = own;
            words[word] |= bits;
            words
        };
        assert!(error(with(3, 5 << 20), plain, &line).contains("tiled images"));
        assert!(error(with(6, 1 << 21), plain, &line).contains("compressed images"));
        assert!(
            error(own, plain, &line.replace("2D", "1D").replace(&at, "v10")).contains("an instruction for")
        );
        assert!(error(own, Sampler { is_normalized: false, ..plain }, &line).contains("do not repeat"));
        let integers = TexelFormat { numbers: Numbers::Uint, ..FLOATS };
        let of_integers = Image { format: integers, ..image }.words(target.0.parse().unwrap()).unwrap();
        assert!(error(of_integers, Sampler { is_linear: true, ..plain }, &line).contains("no linear filter"));
        // More rows than there is memory.
        let tall = Image { extent: [4, 9000, 1], ..image }.words(target.0.parse().unwrap()).unwrap();
        let far = format!("v_mov_b32 v11, 0.5\n\t{line}");
        assert!(error(tall, plain, &far).contains("image load of 4 bytes"), "{}", error(tall, plain, &far));
    }
    assert_eq!(image.words(Target::Gfx942), None);
    assert_eq!(Image { pitch: 100, ..image }.words(Target::Gfx1100), None);
    assert_eq!(Image { extent: [1 << 15, 1, 1], ..image }.words(Target::Gfx1100), None);
}

#[test]
fn coverage_knows_images() {
    let lines = "\timage_sample_lz v0, v1, s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D\n\
                 \timage_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D\n\
                 \timage_load v0, v1, s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_1D a16\n\
                 \timage_sample_lz v[0:1], v1, s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_1D tfe\n\
                 \tbuffer_load_format_x v0, v1, s[0:3], 0 idxen\n";
    let program =
        asm::assemble(&asm::clang(), "gfx1100", &asm::kernel("gfx1100", 11, Shape::default(), lines));
    let classes: Vec<&str> = program.coverage().map(|i| i.fidelity.name()).take(5).collect();
    assert_eq!(classes, ["bounded", "exact", "refused", "refused", "exact"]);
}
