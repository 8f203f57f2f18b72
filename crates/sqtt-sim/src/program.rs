//! A loaded code object.

use crate::decode::Code;
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
        let code = Code::new(disasm::disassemble(bytes)?, image.target);
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

    /// The disassembly line at a pc, as errors and listings show it.
    pub fn line(&self, pc: u64) -> Option<&str> {
        let index = self.code.find(pc)? as usize;
        self.code.lines.get(index).map(|l| l.text.as_str())
    }
}

/// Whether `name` is the demangled form of `symbol`, with or without its parameter list.
fn demangled(symbol: &str, name: &str) -> bool {
    let Ok(parsed) = cpp_demangle::Symbol::new(symbol) else { return false };
    let Ok(full) = parsed.demangle() else { return false };
    full == name || full.split_once('(').is_some_and(|(head, _)| head == name)
}
