//! Kernel metadata (the msgpack note, code object v5 and v6) and kernel descriptors.
//!
//! Layouts: LLVM's AMDGPU usage guide, "Code Object Metadata" and "Kernel Descriptor".

use rmpv::Value;

use crate::error::SimError;
use crate::load::image::Image;

/// One kernel argument, explicit or hidden.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelArg {
    /// `global_buffer`, `by_value`, `hidden_block_count_x`, …
    pub kind: String,
    /// The source's name, where the compiler recorded it.
    pub name: Option<String>,
    /// Byte offset in the kernarg segment.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

impl KernelArg {
    /// Filled in by the launch, not by the caller.
    pub fn is_hidden(&self) -> bool {
        self.kind.starts_with("hidden_")
    }
}

/// The facts about a kernel that a launch needs.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelInfo {
    /// Name in the symbol table.
    pub name: String,
    /// Arguments in the order of the source, hidden ones last.
    pub args: Vec<KernelArg>,
    /// Bytes of the kernarg segment.
    pub kernarg_size: u32,
    /// Statically allocated LDS in bytes.
    pub lds_size: u32,
    /// Scratch bytes per lane.
    pub private_size: u32,
    /// The compiler could not bound the stack.
    pub dynamic_stack: bool,
    /// Lanes per wave: 32 or 64.
    pub wave_size: u32,
    /// Largest number of work-items in a workgroup.
    pub max_workgroup_size: u32,
    /// Vector registers that the kernel and what it calls use.
    pub vgpr_count: u32,
    pub(crate) descriptor: KernelDescriptor,
}

/// The fields of the 64-byte kernel descriptor that matter at launch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KernelDescriptor {
    /// Virtual address of the first instruction.
    pub(crate) entry: u64,
    pub(crate) rsrc1: u32,
    pub(crate) rsrc2: u32,
    pub(crate) properties: u16,
    pub(crate) preload: u16,
}

impl KernelDescriptor {
    fn read(image: &Image, name: &str) -> Result<KernelDescriptor, SimError> {
        let bad = |why: &str| SimError::Metadata(format!("kernel `{name}`: {why}"));
        let address = image.symbol(&format!("{name}.kd")).ok_or_else(|| bad("no descriptor symbol"))?;
        let bytes = image
            .bytes
            .get(address as usize..(address as usize).saturating_add(64))
            .ok_or_else(|| bad("its descriptor lies outside the image"))?;
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let entry = u64::from(word(16)) | u64::from(word(20)) << 32;
        Ok(KernelDescriptor {
            entry: address.wrapping_add(entry),
            rsrc1: word(48),
            rsrc2: word(52),
            properties: word(56) as u16,
            preload: (word(56) >> 16) as u16,
        })
    }
}

fn field<'a>(map: &'a Value, key: &str) -> Option<&'a Value> {
    map.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, v)| v)
}

fn number(map: &Value, key: &str) -> Option<u32> {
    field(map, key)?.as_u64().and_then(|v| u32::try_from(v).ok())
}

fn text(map: &Value, key: &str) -> Option<String> {
    field(map, key)?.as_str().map(str::to_owned)
}

/// Reads every kernel of the note.
pub(crate) fn kernels(image: &Image) -> Result<Vec<KernelInfo>, SimError> {
    let bad = |why: String| SimError::Metadata(why);
    if image.metadata.is_empty() {
        return Err(bad("the code object has no AMDGPU metadata note (type 32)".to_owned()));
    }
    let mut kernels = Vec::new();
    for note in &image.metadata {
        let root = rmpv::decode::read_value(&mut note.as_slice())
            .map_err(|e| bad(format!("the note is not msgpack: {e}")))?;
        let list = field(&root, "amdhsa.kernels").and_then(Value::as_array).map_or(&[][..], |v| v);
        for kernel in list {
            kernels.push(read_kernel(image, kernel)?);
        }
    }
    Ok(kernels)
}

fn read_kernel(image: &Image, kernel: &Value) -> Result<KernelInfo, SimError> {
    let name =
        text(kernel, ".name").ok_or_else(|| SimError::Metadata("a kernel without .name".to_owned()))?;
    let need = |key: &str| {
        number(kernel, key).ok_or_else(|| SimError::Metadata(format!("kernel `{name}` without {key}")))
    };
    let mut args = Vec::new();
    for arg in field(kernel, ".args").and_then(Value::as_array).map_or(&[][..], |v| v) {
        let (Some(kind), Some(offset), Some(size)) =
            (text(arg, ".value_kind"), number(arg, ".offset"), number(arg, ".size"))
        else {
            return Err(SimError::Metadata(format!(
                "kernel `{name}`: an argument without kind, offset or size"
            )));
        };
        args.push(KernelArg { kind, name: text(arg, ".name"), offset, size });
    }
    let wave_size = need(".wavefront_size")?;
    if wave_size != 32 && wave_size != 64 {
        return Err(SimError::Metadata(format!("kernel `{name}`: wave size {wave_size}, 32 or 64 expected")));
    }
    Ok(KernelInfo {
        args,
        kernarg_size: need(".kernarg_segment_size")?,
        lds_size: need(".group_segment_fixed_size")?,
        private_size: need(".private_segment_fixed_size")?,
        dynamic_stack: field(kernel, ".uses_dynamic_stack").and_then(Value::as_bool).unwrap_or(false),
        wave_size,
        max_workgroup_size: number(kernel, ".max_flat_workgroup_size").unwrap_or(1024),
        vgpr_count: number(kernel, ".vgpr_count").unwrap_or(0),
        descriptor: KernelDescriptor::read(image, &name)?,
        name,
    })
}
