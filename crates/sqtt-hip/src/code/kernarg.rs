//! The explicit arguments of a launch.

use sqtt_sim::KernelInfo;

use crate::error::Code;
use crate::raw::{In, span};

/// `HIP_LAUNCH_PARAM_BUFFER_POINTER`, `…_SIZE` and `…_END`.
const POINTER: usize = 1;
const SIZE: usize = 2;
const END: usize = 3;

/// Arguments of which each has an address.
pub(crate) fn of_pointers(info: &KernelInfo, pointers: In<usize>) -> Result<Vec<Vec<u8>>, Code> {
    let explicit = info.args.iter().filter(|arg| !arg.is_hidden()).enumerate();
    explicit.map(|(index, arg)| Ok(span::read(pointers.at(index)?, arg.size as usize))).collect()
}

/// Arguments in one buffer, which may be shorter or longer than what the kernel reads: what is missing is zero.
pub(crate) fn of_buffer(info: &KernelInfo, buffer: &[u8]) -> Vec<Vec<u8>> {
    let byte = |at: usize| buffer.get(at).copied().unwrap_or(0);
    let value = |offset: usize, size: usize| (offset..offset + size).map(byte).collect();
    let explicit = info.args.iter().filter(|arg| !arg.is_hidden());
    explicit.map(|arg| value(arg.offset as usize, arg.size as usize)).collect()
}

/// Arguments of `hipModuleLaunchKernel`: pointers, or the `extra` array.
pub(crate) fn of_either(
    info: &KernelInfo,
    pointers: In<usize>,
    extra: In<usize>,
) -> Result<Vec<Vec<u8>>, Code> {
    if !pointers.is_null() || extra.is_null() {
        return of_pointers(info, pointers);
    }
    let (mut buffer, mut length) = (None, None);
    for index in (0..8).step_by(2) {
        match extra.at(index)? {
            POINTER => buffer = Some(extra.at(index + 1)?),
            SIZE => length = Some(span::word(extra.at(index + 1)?)),
            END => break,
            _ => return Err(Code::INVALID_VALUE),
        }
    }
    let (Some(buffer), Some(length)) = (buffer, length) else { return Err(Code::INVALID_VALUE) };
    Ok(of_buffer(info, &span::read(buffer, length.min(1 << 16))))
}
