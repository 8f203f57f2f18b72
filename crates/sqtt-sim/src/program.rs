//! A loaded code object.

use crate::code::Code;
use crate::error::SimError;
use crate::load::disasm;
use crate::load::image::Image;
use crate::load::metadata::{self, KernelInfo};
use crate::target::Target;

/// A code object, disassembled and decoded: load once, run many times.
#[derive(Debug)]
pub struct Program {
    pub(crate) image: Image,
    pub(crate) code: Code,
    kernels: Vec<KernelInfo>,
}

impl Program {
    /// Loads a bare AMDGPU code object (an ELF file). Needs `llvm-objdump`.
    ///
    /// # Errors
    /// When the bytes are not a code object of a simulated target, its metadata is malformed, or no
    /// disassembler is found.
    pub fn load(bytes: &[u8]) -> Result<Program, SimError> {
        let image = Image::load(bytes)?;
        let kernels = metadata::kernels(&image)?;
        let both = image.target.generation() > 9;
        let wide = both && !kernels.is_empty() && kernels.iter().all(|kernel| kernel.wave_size == 64);
        let lines = disasm::disassemble(bytes, wide.then_some("+wavefrontsize64"))?;
        let code = Code::new(lines, image.target);
        Ok(Program { image, code, kernels })
    }

    /// The processor that the code object was built for.
    pub fn target(&self) -> Target {
        self.image.target
    }

    /// The kernels.
    pub fn kernels(&self) -> &[KernelInfo] {
        &self.kernels
    }

    /// The kernel of that symbol name, or of that demangled name.
    ///
    /// # Errors
    /// When there is none, or a demangled name fits several.
    pub fn kernel(&self, name: &str) -> Result<&KernelInfo, SimError> {
        if let Some(kernel) = self.kernels.iter().find(|k| k.name == name) {
            return Ok(kernel);
        }
        let named: Vec<_> = self.kernels.iter().filter(|k| demangled(&k.name, name)).collect();
        match named[..] {
            [kernel] => Ok(kernel),
            _ => Err(SimError::NoKernel {
                name: name.to_owned(),
                available: self.kernels.iter().map(|k| k.name.clone()).collect(),
            }),
        }
    }

    /// Instructions without semantics here, as `(pc, line)`: executing one is an error.
    pub fn unsupported(&self) -> impl Iterator<Item = (u64, &str)> {
        self.code.unsupported().map(|line| (line.pc, line.text.as_str()))
    }

    /// The disassembly line at a pc, as errors and listings show it.
    pub fn line(&self, pc: u64) -> Option<&str> {
        let index = self.code.find(pc)? as usize;
        self.code.lines.get(index).map(|l| l.text.as_str())
    }
}

/// True where `name` is the demangled form of `symbol`, with or without return type and parameter list.
fn demangled(symbol: &str, name: &str) -> bool {
    let Some(full) = sqtt_decoder::names::demangle(symbol.as_bytes()) else { return false };
    full == name
        || full.match_indices(name).any(|(at, _)| {
            let starts = at == 0 || full[..at].ends_with(' ');
            starts && full[at + name.len()..].starts_with('(')
        })
}

#[cfg(test)]
mod tests {
    use super::demangled;

    #[test]
    fn demangled_names() {
        assert!(demangled("_Z7kernelAi", "kernelA(int)"));
        assert!(demangled("_Z7kernelAi", "kernelA"));
        assert!(demangled("_ZN2ns3fooIfEEvT_", "ns::foo<float>"));
        assert!(!demangled("_ZN2ns3fooIfEEvT_", "foo<float>"));
        assert!(!demangled("_Z7kernelAi", "kernel"));
        assert!(!demangled("plain", "plai"));
    }
}
