//! A kernel with its grid and its arguments.

/// A kernel argument.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Arg {
    /// The bytes of a by-value argument.
    Value(Vec<u8>),
    /// A buffer; the kernel receives its address.
    Buffer(Vec<u8>),
    /// A null pointer.
    Null,
}

impl Arg {
    /// A 32-bit integer.
    pub fn u32(v: u32) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A 64-bit integer.
    pub fn u64(v: u64) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A float.
    pub fn f32(v: f32) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A double.
    pub fn f64(v: f64) -> Arg {
        Arg::Value(v.to_le_bytes().to_vec())
    }

    /// A buffer of 32-bit words.
    pub fn words(words: &[u32]) -> Arg {
        Arg::Buffer(words.iter().flat_map(|w| w.to_le_bytes()).collect())
    }
}

/// A kernel with its grid and arguments.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[must_use]
pub struct Launch {
    /// The kernel's symbol, or its demangled name up to the parameter list.
    pub kernel: String,
    /// Workgroups in x, y, z.
    pub grid: [u32; 3],
    /// Work-items of a workgroup in x, y, z.
    pub block: [u32; 3],
    /// The kernel's explicit arguments in order.
    pub args: Vec<Arg>,
    /// Dynamically allocated LDS in bytes.
    pub dynamic_lds: u32,
    /// All workgroups run side by side, so that they may wait for each other.
    pub cooperative: bool,
    /// Addresses of what the host offers to the kernel.
    pub services: Services,
}

/// Addresses of what the host offers to kernels; 0 where there is none.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Services {
    /// The buffer in which waves ask the host for something.
    pub hostcall: u64,
    /// The heap of the device's `malloc`.
    pub heap: u64,
    /// The buffer of OpenCL's `printf`.
    pub printf: u64,
    /// The state of a synchronisation over several devices.
    pub multigrid: u64,
}

impl Launch {
    /// A one-dimensional launch without dynamic LDS.
    pub fn new(kernel: impl Into<String>, grid: u32, block: u32, args: Vec<Arg>) -> Launch {
        Launch::over(kernel, [grid, 1, 1], [block, 1, 1], args)
    }

    /// A launch over workgroups and work-items in x, y, z, without dynamic LDS.
    pub fn over(kernel: impl Into<String>, grid: [u32; 3], block: [u32; 3], args: Vec<Arg>) -> Launch {
        Launch {
            kernel: kernel.into(),
            grid,
            block,
            args,
            dynamic_lds: 0,
            cooperative: false,
            services: Services::default(),
        }
    }

    /// Adds dynamically allocated LDS, in bytes.
    pub fn dynamic_lds(self, dynamic_lds: u32) -> Launch {
        Launch { dynamic_lds, ..self }
    }

    /// Lets all workgroups run side by side, or not.
    pub fn cooperative(self, cooperative: bool) -> Launch {
        Launch { cooperative, ..self }
    }

    /// Says what the host offers.
    pub fn services(self, services: Services) -> Launch {
        Launch { services, ..self }
    }
}
