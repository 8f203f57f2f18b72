//! Functions of modules.

use super::image;
use super::registry::{Kernel, Module};
use crate::call::api;
use crate::error::{Code, Status};
use crate::message;
use crate::raw::{Out, Text};
use crate::runtime::{current_device, lock};

fn load(out: Out<usize>, module: Module) -> Status {
    if out.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let mut state = lock();
    let handle = state.handle();
    state.code.modules.insert(handle, module);
    // An image that does not fit is the error of this call.
    if let Err(code) = state.ready(handle) {
        state.code.modules.remove(&handle);
        return Err(code);
    }
    out.set(handle)
}

fn load_data(out: Out<usize>, address: usize) -> Status {
    if address == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let bytes = image::at(address).map_err(|why| {
        message::say(&format!("hipModuleLoadData: {why}"));
        Code::INVALID_IMAGE
    })?;
    load(out, Module::of_bytes("an image in memory".to_owned(), bytes))
}

api! {
    /// Loads a file.
    fn hipModuleLoad(out: Out<usize>, path: Text) {
        let path = path.get()?;
        let bytes = std::fs::read(&path).map_err(|error| {
            message::say(&format!("hipModuleLoad: {path}: {error}"));
            Code::FILE_NOT_FOUND
        })?;
        load(out, Module::of_bytes(path, bytes))
    }

    /// Loads an image in memory.
    fn hipModuleLoadData(out: Out<usize>, image: usize) {
        load_data(out, image)
    }

    /// Loads an image in memory; options of a compiler that is not needed change nothing.
    fn hipModuleLoadDataEx(out: Out<usize>, image: usize, _count: u32, _options: usize, _values: usize) {
        load_data(out, image)
    }

    /// Ends a module.
    fn hipModuleUnload(module: usize) {
        let mut state = lock();
        state.remove_module(module).ok_or(Code::INVALID_HANDLE)?;
        state.code.kernels.retain(|_, kernel| kernel.module != module);
        Ok(())
    }

    /// Finds a kernel.
    fn hipModuleGetFunction(out: Out<usize>, module: usize, name: Text) {
        let name = name.get()?;
        if out.is_null() {
            return Err(Code::INVALID_VALUE);
        }
        let mut state = lock();
        let ready = state.ready(module)?;
        // By its symbol alone: a demangled name is none.
        if !ready.program.kernels().iter().any(|kernel| kernel.name == name) {
            return Err(Code::NOT_FOUND);
        }
        let handle = state.handle_of(Kernel { module, name });
        out.set(handle)
    }

    /// Gives the number of kernels.
    fn hipModuleGetFunctionCount(out: Out<u32>, module: usize) {
        let ready = lock().ready(module)?;
        out.set(ready.program.kernels().len() as u32)
    }

    /// Finds a variable.
    fn hipModuleGetGlobal(address: Out<usize>, size: Out<usize>, module: usize, name: Text) {
        let name = name.get()?;
        let loaded = lock().loaded(module, current_device())?;
        let found = loaded.symbol(&name).ok_or(Code::NOT_FOUND)?;
        address.set_if_there(found.0);
        size.set_if_there(found.1);
        Ok(())
    }
}
