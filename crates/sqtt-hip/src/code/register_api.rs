//! The functions that the code of compilers calls: fat binaries, kernels and variables of a program, and the
//! configuration of `<<<…>>>`.

use std::cell::RefCell;

use super::registry::{Kernel, Module, Variable};
use crate::call::api;
use crate::error::Code;
use crate::memory::allocate::{Request, allocate};
use crate::memory::allocations::Kind;
use crate::message;
use crate::place::Place;
use crate::raw::{In, Out, Text, span};
use crate::runtime;

/// `dim3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Dim3 {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) z: u32,
}

impl Dim3 {
    pub(crate) fn array(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }
}

/// `__ClangOffloadBundleWrapper`: what clang passes to `__hipRegisterFatBinary`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct FatBinary {
    magic: u32,
    version: u32,
    binary: usize,
    unused: usize,
}

/// "HIPF" and "HIPK", as clang writes them.
const MAGIC: [u32; 2] = [0x4849_5046, 0x4849_504b];

/// A configuration of a launch.
type Configuration = (Dim3, Dim3, usize, usize);

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
    static ARGUMENTS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Registers a fat binary. Its code is looked at when it is first used.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterFatBinary(data: In<FatBinary>) -> usize {
    let Ok(binary) = data.get() else { return 0 };
    if !MAGIC.contains(&binary.magic) {
        message::say(&format!("a fat binary with the magic number {:#x}, which is not known", binary.magic));
        return 0;
    }
    let mut state = runtime::lock();
    let all = crate::place::mappings();
    let file = all.into_iter().find(|mapping| mapping.range.contains(&binary.binary));
    let name = file.map_or_else(|| "the program".to_owned(), |mapping| mapping.path);
    let handle = state.handle();
    state.code.modules.insert(handle, Module::in_memory(name, binary.binary));
    handle
}

/// Forgets a fat binary.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipUnregisterFatBinary(module: usize) {
    let mut state = runtime::lock();
    state.remove_module(module);
    state.code.functions.retain(|_, kernel| kernel.module != module);
    state.code.variables.retain(|_, variable| variable.module != module);
}

/// Says which kernel a host function stands for.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterFunction(
    module: usize,
    function: usize,
    _device_function: Text,
    name: Text,
) {
    if let Ok(name) = name.get() {
        runtime::lock().code.functions.insert(function, Kernel { module, name });
    }
}

/// Says which device variable a host variable is the shadow of.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterVar(module: usize, shadow: usize, _host: Text, name: Text) {
    if let Ok(name) = name.get() {
        runtime::lock().code.variables.insert(shadow, Variable { module, name });
    }
}

/// Gives a managed variable its memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterManagedVar(
    module: usize,
    pointer: Out<usize>,
    initial: usize,
    name: Text,
    size: usize,
    _align: u32,
) {
    let Ok(name) = name.get() else { return };
    let mut state = runtime::lock();
    let request = Request { kind: Kind::Managed, made_by: "__managed__", ..Request::new(size) };
    let Ok(address) = allocate(&mut state, &request, Place::default()) else { return };
    span::copy(address, initial, size);
    pointer.set_if_there(address);
    if let Some(module) = state.code.modules.get_mut(&module) {
        module.add_managed(name, address);
    }
}

/// Registers a texture reference, which kernels of today do not have.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterTexture() {
    message::say_once("texture references are not simulated; texture objects are");
}

/// Registers a surface reference, which kernels of today do not have.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn __hipRegisterSurface() {
    message::say_once("surface references are not simulated");
}

/// Takes the launch configuration that `__hipPushCallConfiguration` kept.
pub(crate) fn pop() -> Option<Configuration> {
    CONFIGURATIONS.with_borrow_mut(Vec::pop)
}

/// Takes the arguments that `hipSetupArgument` kept.
pub(crate) fn pop_arguments() -> Vec<u8> {
    ARGUMENTS.take()
}

api! {
    /// Keeps the configuration of the launch that follows.
    fn __hipPushCallConfiguration | hipConfigureCall (grid: Dim3, block: Dim3, shared: usize, stream: usize) {
        CONFIGURATIONS.with_borrow_mut(|all| all.push((grid, block, shared, stream)));
        Ok(())
    }

    /// Gives the configuration that was kept last.
    fn __hipPopCallConfiguration(grid: Out<Dim3>, block: Out<Dim3>, shared: Out<usize>, stream: Out<usize>) {
        let (g, b, s, t) = pop().ok_or(Code::MISSING_CONFIGURATION)?;
        grid.set(g)?;
        block.set(b)?;
        shared.set(s)?;
        stream.set(t)
    }

    /// Keeps an argument of the launch that follows.
    fn hipSetupArgument(argument: usize, size: usize, offset: usize) {
        let end = offset.checked_add(size).filter(|&end| end <= 1 << 16).ok_or(Code::INVALID_VALUE)?;
        ARGUMENTS.with_borrow_mut(|all| {
            all.resize(all.len().max(end), 0);
            all[offset..end].copy_from_slice(&span::read(argument, size));
        });
        Ok(())
    }
}
