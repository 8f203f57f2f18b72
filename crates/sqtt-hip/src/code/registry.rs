//! Modules, and the kernels and variables of the program that belong to them.

use std::collections::HashMap;
use std::sync::Arc;

use sqtt_sim::{KernelInfo, Program};

use super::{choose, image};
use crate::error::Code;
use crate::message;
use crate::profile;
use crate::raw::span;
use crate::runtime::Runtime;
use crate::sim::Loaded;

/// Code that was found and decoded.
#[derive(Clone)]
pub(crate) struct Ready {
    pub(crate) program: Arc<Program>,
    /// The code object.
    pub(crate) bytes: Arc<[u8]>,
}

/// The place where the code of a module is.
enum Source {
    /// A fat binary in the program's memory.
    Memory(usize),
    /// A file's bytes, or an image that was copied.
    Bytes(Vec<u8>),
}

/// A module, whose code is decoded when it is first needed.
pub(crate) struct Module {
    pub(crate) name: String,
    source: Source,
    ready: Option<Result<Ready, Code>>,
    loaded: HashMap<usize, Arc<Loaded>>,
    /// Variables that are pointers to managed memory: name and address.
    managed: Vec<(String, usize)>,
}

/// A kernel of a module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Kernel {
    pub(crate) module: usize,
    pub(crate) name: String,
}

/// A device variable of the program.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) module: usize,
    pub(crate) name: String,
}

/// All code of the process.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) modules: HashMap<usize, Module>,
    /// Kernels by the address of their host function.
    pub(crate) functions: HashMap<usize, Kernel>,
    /// Variables by the address of their shadow.
    pub(crate) variables: HashMap<usize, Variable>,
    /// Kernels by `hipFunction_t`.
    pub(crate) kernels: HashMap<usize, Kernel>,
}

impl Module {
    fn new(name: String, source: Source) -> Module {
        Module { name, source, ready: None, loaded: HashMap::new(), managed: Vec::new() }
    }

    /// A fat binary of the program, at an address.
    pub(crate) fn in_memory(name: String, address: usize) -> Module {
        Module::new(name, Source::Memory(address))
    }

    /// A file, or an image that was copied.
    pub(crate) fn of_bytes(name: String, bytes: Vec<u8>) -> Module {
        Module::new(name, Source::Bytes(bytes))
    }

    /// The devices that it is loaded on.
    pub(crate) fn loaded(&self) -> impl Iterator<Item = (usize, &Loaded)> {
        self.loaded.iter().map(|(&device, loaded)| (device, &**loaded))
    }

    pub(crate) fn add_managed(&mut self, name: String, address: usize) {
        self.managed.push((name, address));
    }

    /// The code for the target.
    pub(crate) fn ready(&mut self, target: sqtt_sim::Target) -> Result<Ready, Code> {
        let Module { name, source, ready, .. } = self;
        ready
            .get_or_insert_with(|| {
                decode(name, source, target).map_err(|(code, text)| {
                    message::say(&text);
                    code
                })
            })
            .clone()
    }
}

fn decode(name: &str, source: &Source, target: sqtt_sim::Target) -> Result<Ready, (Code, String)> {
    let bytes = match source {
        Source::Bytes(bytes) => bytes.clone(),
        Source::Memory(address) => {
            image::at(*address).map_err(|why| (Code::INVALID_IMAGE, format!("{name}: {why}")))?
        }
    };
    let bytes = choose::choose(name, bytes, target).map_err(|why| (Code::NO_BINARY, why))?;
    let program = Program::load(&bytes).map_err(|error| (Code::INVALID_IMAGE, format!("{name}: {error}")))?;
    Ok(Ready { program: Arc::new(program), bytes: bytes.into() })
}

impl Runtime {
    /// The code of a module.
    pub(crate) fn ready(&mut self, module: usize) -> Result<Ready, Code> {
        let target = self.settings.target;
        self.code.modules.get_mut(&module).ok_or(Code::INVALID_HANDLE)?.ready(target)
    }

    /// A module in a device's memory.
    pub(crate) fn loaded(&mut self, module: usize, device: usize) -> Result<Arc<Loaded>, Code> {
        let number = module;
        let ready = self.ready(module)?;
        let module = self.code.modules.get_mut(&module).ok_or(Code::INVALID_HANDLE)?;
        if let Some(loaded) = module.loaded.get(&device) {
            return Ok(loaded.clone());
        }
        let simulated = &self.devices.get(device).ok_or(Code::INVALID_DEVICE)?.simulated;
        let loaded = Arc::new(simulated.load(&ready.program));
        for (name, address) in &module.managed {
            if let Some((pointer, _)) = loaded.symbol(name) {
                span::write(pointer, &address.to_le_bytes());
            }
        }
        let (address, size) = loaded.image();
        profile::loaded(device, number, &module.name, address, size);
        module.loaded.insert(device, loaded.clone());
        Ok(loaded)
    }

    /// Ends a module, on all devices.
    pub(crate) fn remove_module(&mut self, module: usize) -> Option<()> {
        let gone = self.code.modules.remove(&module)?;
        for (device, loaded) in gone.loaded() {
            self.devices[device].simulated.unload(loaded);
        }
        Some(())
    }

    /// The kernel that a host function stands for.
    pub(crate) fn kernel_of(&self, function: usize) -> Result<Kernel, Code> {
        let found = self.code.functions.get(&function).or_else(|| self.code.kernels.get(&function));
        found.cloned().ok_or(Code::INVALID_FUNCTION)
    }

    /// The kernel of a `hipFunction_t`.
    pub(crate) fn kernel_of_handle(&self, function: usize) -> Result<Kernel, Code> {
        self.code.kernels.get(&function).cloned().ok_or(Code::INVALID_HANDLE)
    }

    /// A `hipFunction_t` of a kernel: always the same one.
    pub(crate) fn handle_of(&mut self, kernel: Kernel) -> usize {
        if let Some((handle, _)) = self.code.kernels.iter().find(|(_, known)| **known == kernel) {
            return *handle;
        }
        let handle = self.handle();
        self.code.kernels.insert(handle, kernel);
        handle
    }

    /// The facts about a kernel.
    pub(crate) fn info(&mut self, kernel: &Kernel) -> Result<KernelInfo, Code> {
        let ready = self.ready(kernel.module)?;
        ready.program.kernel(&kernel.name).cloned().map_err(|error| {
            message::say(&error.to_string());
            Code::INVALID_FUNCTION
        })
    }

    /// Address and size of a program's variable on a device.
    pub(crate) fn symbol(&mut self, shadow: usize, device: usize) -> Result<(usize, usize), Code> {
        if let Some(variable) = self.code.variables.get(&shadow).cloned() {
            let loaded = self.loaded(variable.module, device)?;
            return loaded.symbol(&variable.name).ok_or(Code::INVALID_SYMBOL);
        }
        // The shadow of a managed variable is the variable itself.
        let managed = self.memory.at(shadow).filter(|a| a.base == shadow && a.made_by == "__managed__");
        managed.map(|a| (a.base, a.size)).ok_or(Code::INVALID_SYMBOL)
    }
}
