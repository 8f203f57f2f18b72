//! Target triples of AMD GPUs: `amdgcn-amd-amdhsa`, and from LLVM 24 on `amdgpu9.42-amd-amdhsa`, which names the processor
//! (LLVM's AMDGPUUsage, "Subarchitecture Compatibility").

/// True if a triple is of an AMD GPU since gfx6.
#[must_use]
pub fn is_gpu_triple(triple: &str) -> bool {
    triple.starts_with("amdgcn") || triple.starts_with("amdgpu")
}

/// The processor that the architecture of a triple names: `gfx942` of `amdgpu9.42`, `gfx9-4-generic` of `amdgpu9.4`,
/// `gfx9-generic` of `amdgpu9`. `None` of one that names none.
#[must_use]
pub fn processor_of_architecture(triple: &str) -> Option<String> {
    let version = triple.split('-').next()?.strip_prefix("amdgpu").filter(|version| !version.is_empty())?;
    Some(match version.split_once('.') {
        None => format!("gfx{version}-generic"),
        Some((major, minor)) if minor.len() == 1 => format!("gfx{major}-{minor}-generic"),
        Some((major, minor)) => format!("gfx{major}{minor}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples() {
        for (triple, is_gpu, processor) in [
            ("amdgcn-amd-amdhsa", true, None),
            ("amdgcn-amd-amdhsa-unknown", true, None),
            ("amdgpu-amd-amdhsa", true, None),
            ("amdgpu9.00-amd-amdhsa", true, Some("gfx900")),
            ("amdgpu9.0a-amd-amdhsa", true, Some("gfx90a")),
            ("amdgpu9.42-amd-amdhsa-unknown", true, Some("gfx942")),
            ("amdgpu10.30-amd-amdhsa", true, Some("gfx1030")),
            ("amdgpu12.01", true, Some("gfx1201")),
            ("amdgpu9-amd-amdhsa", true, Some("gfx9-generic")),
            ("amdgpu9.4-amd-amdhsa", true, Some("gfx9-4-generic")),
            ("amdgpu11-amd-amdhsa", true, Some("gfx11-generic")),
            ("x86_64-pc-linux-gnu", false, None),
            ("spirv64-amd-amdhsa", false, None),
            ("r600-amd-amdhsa", false, None),
            ("", false, None),
        ] {
            assert_eq!(is_gpu_triple(triple), is_gpu, "{triple}");
            assert_eq!(processor_of_architecture(triple).as_deref(), processor, "{triple}");
        }
    }
}
