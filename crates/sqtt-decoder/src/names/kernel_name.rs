//! Names of kernels in traces.

use sqtt_format::Name;

/// Name of a kernel in a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KernelName {
    /// By its symbol, mangled. Empty where the trace has no name.
    Symbol(Name),
    /// By the place of its code.
    Code(CodeAddress),
}

/// An address in a code object, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeAddress {
    /// The code object; 0 where the trace does not say it.
    pub object: u64,
    /// The address in it.
    pub address: u64,
    text: Name,
}

impl KernelName {
    /// A kernel without a symbol.
    #[must_use]
    pub fn at(object: u64, address: u64) -> Self {
        let text = format!("{object} / {address:#x}").into();
        Self::Code(CodeAddress { object, address, text })
    }

    /// The kernel of waves that are older than the trace.
    #[must_use]
    pub fn unknown() -> Self {
        Self::at(0, 0)
    }

    /// Its text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Symbol(name) => name,
            Self::Code(code) => &code.text,
        }
    }

    /// The place of its code, where that is its name.
    #[must_use]
    pub fn code(&self) -> Option<&CodeAddress> {
        match self {
            Self::Symbol(_) => None,
            Self::Code(code) => Some(code),
        }
    }
}

impl Default for KernelName {
    fn default() -> Self {
        Self::Symbol(Name::default())
    }
}
