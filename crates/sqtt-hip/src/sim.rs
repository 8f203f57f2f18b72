//! The only file that calls the simulator.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqtt_sim::{Arg, Fault, Host, Launch, Memory, Module, Options, Outcome, Program, SimError};

use crate::profile;
use crate::raw::visible;
use crate::services::Services;
use crate::settings::Settings;

/// A simulated device: its memory and the code in it live on between launches.
pub(crate) struct Simulated {
    memory: Mutex<Memory>,
}

/// A program in a device's memory.
pub(crate) struct Loaded {
    module: Module,
}

/// A launch of a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Dispatch {
    pub(crate) kernel: String,
    /// Workgroups.
    pub(crate) grid: [u32; 3],
    /// Work-items of a workgroup.
    pub(crate) block: [u32; 3],
    /// The explicit arguments.
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) dynamic_lds: u32,
    pub(crate) is_cooperative: bool,
}

/// A fault's address, where an access was refused.
pub(crate) fn fault_address(error: &SimError) -> Option<u64> {
    match error {
        SimError::Execution(at) => match at.cause {
            // Those of LDS and scratch are offsets.
            Fault::Access { kind, address, .. }
                if !kind.starts_with("lds") && !kind.starts_with("scratch") =>
            {
                Some(address)
            }
            _ => None,
        },
        _ => None,
    }
}

impl Simulated {
    pub(crate) fn new() -> Simulated {
        Simulated { memory: Mutex::new(Memory::of_process()) }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        // A launch that panicked left the regions as they were.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes memory visible to kernels.
    ///
    /// A read of `watched` memory before anything wrote it is an error.
    pub(crate) fn map(&self, base: usize, size: usize, label: String, watched: bool) {
        visible::show(&mut self.memory(), base, size, label, watched);
    }

    /// Says that the host wrote memory.
    pub(crate) fn mark_written(&self, base: usize, size: usize) {
        self.memory().mark_written(base as u64, size);
    }

    /// Ends what `map` began.
    pub(crate) fn unmap(&self, base: usize) {
        self.memory().unmap(base as u64);
    }

    /// Brings a program into the device's memory.
    pub(crate) fn load(&self, program: &Arc<Program>) -> Loaded {
        Loaded { module: self.memory().load(program) }
    }

    /// Takes a program out of the device's memory.
    pub(crate) fn unload(&self, loaded: &Loaded) {
        self.memory().unmap(loaded.module.base());
    }

    /// Runs a kernel to its end, or to where a wave cannot go on: with the error of that wave.
    pub(crate) fn launch(
        &self,
        loaded: &Loaded,
        dispatch: &Dispatch,
        settings: &Settings,
        services: Option<Arc<Services>>,
    ) -> Result<Outcome, SimError> {
        let arguments = dispatch.arguments.iter().cloned().map(Arg::Value).collect();
        let launch = Launch::over(&dispatch.kernel, dispatch.grid, dispatch.block, arguments);
        let mut launch = launch.dynamic_lds(dispatch.dynamic_lds).cooperative(dispatch.is_cooperative);
        let options = Options::default().threads(settings.threads).waves(settings.trace.is_some());
        let options = options
            .ended_waves_pass_barriers(settings.ended_waves_pass_barriers)
            .lds_conflicts(profile::wants_lds_conflicts());
        let mut options = match settings.max_steps {
            Some(steps) => options.max_steps(steps),
            None => options,
        };
        if let Some(records) = settings.max_records {
            options = options.max_records(records);
        }
        if let Some(services) = services {
            launch.services.hostcall = services.buffer as u64;
            launch.services.heap = services.heap as u64;
            options = options.host(Host::new(move || services.serve()));
        }
        sqtt_sim::launch(&mut self.memory(), &loaded.module, &launch, &options)
    }
}

impl Loaded {
    /// Address and size of the program's image.
    pub(crate) fn image(&self) -> (usize, usize) {
        (self.module.base() as usize, self.module.size())
    }

    /// Address and size of a symbol.
    pub(crate) fn symbol(&self, name: &str) -> Option<(usize, usize)> {
        let (address, size) = self.module.symbol(name)?;
        Some((address as usize, size as usize))
    }
}
