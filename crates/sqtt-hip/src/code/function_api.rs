//! Functions that tell about kernels.

use std::ffi::CString;
use std::sync::Mutex;

use super::registry::Kernel;
use crate::call::api;
use crate::error::Code;
use crate::functions::functions;
use crate::raw::{Forever, Out, Text, symbol};
use crate::runtime::{Runtime, lock};

/// `hipFuncAttributes`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Attributes {
    binary_version: i32,
    cache_mode: i32,
    constant_size: usize,
    local_size: usize,
    max_dynamic_shared_size: i32,
    max_items: i32,
    registers: i32,
    carveout: i32,
    ptx_version: i32,
    shared_size: usize,
}

fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn attributes(state: &mut Runtime, kernel: &Kernel) -> Result<Attributes, Code> {
    let info = state.info(kernel)?;
    let (major, minor) = state.hardware.capability();
    let left = state.hardware.lds.saturating_sub(info.lds_size as usize);
    Ok(Attributes {
        binary_version: major * 10 + minor,
        cache_mode: 0,
        constant_size: 0,
        local_size: info.private_size as usize,
        max_dynamic_shared_size: i32::try_from(left).unwrap_or(i32::MAX),
        max_items: int(info.max_workgroup_size),
        registers: int(info.vgpr_count),
        carveout: 0,
        ptx_version: major * 10 + minor,
        shared_size: info.lds_size as usize,
    })
}

/// The name of a kernel as a text that stays.
fn name(kernel: Result<Kernel, Code>) -> Forever {
    static NAMES: Mutex<Vec<&'static std::ffi::CStr>> = Mutex::new(Vec::new());
    let Ok(name) = kernel.and_then(|kernel| CString::new(kernel.name).map_err(|_| Code::UNKNOWN)) else {
        return Forever::NULL;
    };
    let mut names = NAMES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    match names.iter().find(|known| ***known == *name) {
        Some(known) => Forever::of(known),
        None => {
            // Each name once: C keeps the pointer.
            let text: &'static std::ffi::CStr = Box::leak(name.into_boxed_c_str());
            names.push(text);
            Forever::of(text)
        }
    }
}

/// The name of a kernel.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipKernelNameRef(function: usize) -> Forever {
    let kernel = lock().kernel_of_handle(function);
    name(kernel)
}

/// The name of the kernel of a host function.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hipKernelNameRefByPtr(function: usize, _stream: usize) -> Forever {
    let kernel = lock().kernel_of(function);
    name(kernel)
}

api! {
    /// Tells the attributes of a kernel.
    fn hipFuncGetAttributes(out: Out<Attributes>, function: usize) {
        let mut state = lock();
        let kernel = state.kernel_of(function)?;
        let all = attributes(&mut state, &kernel)?;
        out.set(all)
    }

    /// Tells one attribute of a kernel.
    fn hipFuncGetAttribute(out: Out<i32>, attribute: i32, function: usize) {
        let mut state = lock();
        let kernel = state.kernel_of_handle(function)?;
        let all = attributes(&mut state, &kernel)?;
        let small = |size: usize| i32::try_from(size).unwrap_or(i32::MAX);
        out.set(match attribute {
            0 => all.max_items,
            1 => small(all.shared_size),
            2 => small(all.constant_size),
            3 => small(all.local_size),
            4 => all.registers,
            5 => all.ptx_version,
            6 => all.binary_version,
            7 => all.cache_mode,
            8 => all.max_dynamic_shared_size,
            9 => all.carveout,
            _ => return Err(Code::INVALID_VALUE),
        })
    }

    /// Sets an attribute of a kernel: the dynamic LDS it may have, which is all there is, or a preference.
    fn hipFuncSetAttribute(function: usize, attribute: i32, value: i32) {
        let mut state = lock();
        let kernel = state.kernel_of(function)?;
        let all = attributes(&mut state, &kernel)?;
        match attribute {
            8 if value > all.max_dynamic_shared_size || value < 0 => Err(Code::INVALID_VALUE),
            8 | 9 => Ok(()),
            _ => Err(Code::INVALID_VALUE),
        }
    }

    /// Prefers a cache.
    fn hipFuncSetCacheConfig(_function: usize, _preference: i32) {
        Ok(())
    }

    /// Sets the width of LDS banks.
    fn hipFuncSetSharedMemConfig(_function: usize, _width: i32) {
        Ok(())
    }

    /// Gives the address of a function of HIP's, in the form that a version has: structures of HIP 6 have names of
    /// their own.
    fn hipGetProcAddress(name: Text, out: Out<usize>, version: i32, flags: u64, status: Out<i32>) {
        let name = name.get()?;
        // Flag 2 asks for the functions of the thread's own default stream.
        let own = (flags & 2 != 0).then(|| format!("{name}_spt"));
        let new = (version >= 600).then(|| format!("{name}R0600"));
        let names = own.into_iter().chain(new).chain([name]);
        let is_known = |name: &String| functions().any(|function| function.name == *name);
        match names.filter(is_known).find_map(|name| symbol::address(&name)) {
            Some(address) => {
                status.set_if_there(0);
                out.set(address)
            }
            None => {
                status.set_if_there(1);
                out.set_if_there(0);
                Err(Code::NOT_FOUND)
            }
        }
    }

    /// Gives the function of a module that a host function stands for.
    fn hipGetFuncBySymbol(out: Out<usize>, function: usize) {
        let mut state = lock();
        let kernel = state.kernel_of(function)?;
        let handle = state.handle_of(kernel);
        out.set(handle)
    }
}
