//! The only file that calls the simulator.

use std::sync::Arc;

use sqtt_sim::{KernelInfo, Program, SimError, Target};

use crate::settings::Settings;

/// A simulated device: its memory and the code in it live on between launches.
pub(crate) struct Simulated {
    target: Target,
}

/// A program in a device's memory.
pub(crate) struct Loaded {
    program: Arc<Program>,
}

/// A launch of a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Dispatch {
    pub(crate) kernel: String,
    /// Workgroups.
    pub(crate) grid: [u32; 3],
    /// Work-items of a workgroup.
    pub(crate) block: [u32; 3],
    /// Work-items of the whole grid: less than workgroups say where the last ones are partial.
    pub(crate) items: [u64; 3],
    /// The explicit arguments as they lie in the kernarg segment.
    pub(crate) kernarg: Vec<u8>,
    pub(crate) dynamic_lds: u32,
    pub(crate) is_cooperative: bool,
}

/// A fault's address, where an access was refused.
pub(crate) fn fault_address(error: &SimError) -> Option<u64> {
    match error {
        SimError::Execution(at) => match at.cause {
            sqtt_sim::Fault::Access { address, .. } => Some(address),
            _ => None,
        },
        _ => None,
    }
}

impl Simulated {
    pub(crate) fn new(settings: &Settings) -> Simulated {
        Simulated { target: settings.target }
    }

    /// Makes memory visible to kernels.
    pub(crate) fn map(&self, base: usize, size: usize, label: String) {
        let _ = (self.target, base, size, label);
    }

    /// Ends what `map` began.
    pub(crate) fn unmap(&self, base: usize) {
        let _ = base;
    }

    /// Brings a program into the device's memory.
    pub(crate) fn load(&self, program: &Arc<Program>) -> Result<Loaded, SimError> {
        Ok(Loaded { program: program.clone() })
    }

    /// Runs a kernel to its end, or to where a wave cannot go on.
    pub(crate) fn launch(&self, loaded: &Loaded, dispatch: &Dispatch, _: &Settings) -> Result<(), SimError> {
        let _ = (loaded, dispatch);
        Err(SimError::CodeObject("launches are not there yet".to_owned()))
    }
}

impl Loaded {
    /// Address and size of a symbol.
    pub(crate) fn symbol(&self, name: &str) -> Option<(usize, usize)> {
        let _ = name;
        None
    }

    /// The kernel of that name.
    pub(crate) fn kernel(&self, name: &str) -> Option<&KernelInfo> {
        self.program.kernel(name).ok()
    }
}
