//! A line per dispatch with a hash of the devices' memory after it: two builds of a program with the same lines have
//! computed the same.

use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::code::registry::Kernel;
use crate::error::Code;
use crate::memory::allocations::{Allocation, Kind};
use crate::message;
use crate::raw::span;
use crate::runtime::Runtime;
use crate::services;

/// Bytes that are hashed at a time.
const PART: usize = 1 << 20;

/// Adds the line of a dispatch that has come to its end. The program's variables in the kernel's module count, and
/// its allocations. Host memory that was registered does not, since the program uses it besides; nor does what the
/// runtime needs for calls of the host, in which the order of waves shows, nor do texture objects, which hold
/// addresses.
pub(crate) fn append(path: &Path, state: &mut Runtime, kernel: &Kernel, device: usize) -> Result<(), Code> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut hash = DefaultHasher::new();
    let loaded = state.loaded(kernel.module, device)?;
    let mut names: Vec<&String> = state.code.variables.values().map(|variable| &variable.name).collect();
    names.sort_unstable();
    for (address, size) in names.into_iter().filter_map(|name| loaded.symbol(name)) {
        add(&mut hash, address, size);
    }
    let is_own = |a: &Allocation| services::OWN.contains(&a.made_by) || state.objects.contains_key(&a.base);
    let is_programs = |a: &&Allocation| a.kind != Kind::Registered && !is_own(a);
    for allocation in state.memory.live().filter(is_programs) {
        add(&mut hash, allocation.base, allocation.size);
    }
    let line = format!("{number} device {device} {} {:016x}\n", kernel.name, hash.finish());
    let file = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        message::say_once(&format!("{}: {error}", path.display()));
    }
    Ok(())
}

fn add(hash: &mut DefaultHasher, address: usize, size: usize) {
    hash.write_usize(size);
    for from in (0..size).step_by(PART) {
        hash.write(&span::read(address + from, PART.min(size - from)));
    }
}
