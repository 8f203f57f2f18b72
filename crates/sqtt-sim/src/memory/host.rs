//! Bytes of this process that kernels read and write: the crate's only `unsafe`.
//!
//! A kernel's memory is shared the way a GPU's is: the program that launched the kernel holds pointers to it, and
//! workgroups write through shared references. So there is never a Rust reference to the bytes here; every access
//! copies through the raw pointer, within the bounds.

use std::alloc::{self, Layout};
use std::ptr;

use super::written::Written;
use super::{Memory, Region};

// Words are copied as they are: GPUs are little-endian.
const _: () = assert!(cfg!(target_endian = "little"), "kernels' memory is little-endian");

/// The alignment of own memory: a page.
const ALIGN: usize = 4096;

/// A piece of memory: its own, or one that somebody else keeps alive.
#[derive(Debug)]
pub(crate) struct Bytes {
    start: *mut u8,
    len: usize,
    /// The layout of the allocation, where it is its own.
    own: Option<Layout>,
}

#[expect(unsafe_code, reason = "a pointer that is only followed within `copy_out`, `copy_in` and `word`")]
// SAFETY: a GPU's memory has no owner. Workgroups that run at the same time write to overlays, never here
// (`View`), so this process's own threads do not race; a program that touches memory while its kernel runs races
// as it would on a GPU.
unsafe impl Send for Bytes {}
#[expect(unsafe_code, reason = "see above")]
// SAFETY: as for `Send`.
unsafe impl Sync for Bytes {}

#[expect(unsafe_code, reason = "the accesses through the raw pointer")]
impl Bytes {
    /// Memory of its own, a copy at an address that is a multiple of [`ALIGN`].
    pub(crate) fn own(bytes: &[u8]) -> Bytes {
        // A size of 0 must not be allocated, and one above half of the address space cannot exist.
        let layout = Layout::from_size_align(bytes.len().max(1), ALIGN).unwrap_or(Layout::new::<u8>());
        // SAFETY: the size is not 0.
        let start = unsafe { alloc::alloc_zeroed(layout) };
        if start.is_null() {
            alloc::handle_alloc_error(layout);
        }
        let own = Bytes { start, len: bytes.len(), own: Some(layout) };
        own.copy_in(0, bytes);
        own
    }

    /// Somebody else's memory.
    ///
    /// # Safety
    ///
    /// `start` points to `len` bytes that can be read, and written where kernels may write, until this is
    /// dropped. No Rust reference to them is used while a kernel runs.
    pub(crate) unsafe fn foreign(start: *mut u8, len: usize) -> Bytes {
        Bytes { start, len, own: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The address in this process.
    pub(crate) fn address(&self) -> u64 {
        self.start.expose_provenance() as u64
    }

    /// True where `len` bytes from `offset` on are inside.
    #[inline]
    fn holds(&self, offset: usize, len: usize) -> bool {
        offset <= self.len && len <= self.len - offset
    }

    /// Copies bytes from `offset` on.
    #[inline]
    pub(crate) fn copy_out(&self, offset: usize, out: &mut [u8]) {
        assert!(self.holds(offset, out.len()), "a read was checked before");
        // SAFETY: the range is inside by the assertion; `out` is an exclusive reference to other memory.
        unsafe { ptr::copy_nonoverlapping(self.start.add(offset), out.as_mut_ptr(), out.len()) }
    }

    /// Copies bytes to `offset` and on.
    #[inline]
    pub(crate) fn copy_in(&self, offset: usize, bytes: &[u8]) {
        assert!(self.holds(offset, bytes.len()), "a write was checked before");
        // SAFETY: the range is inside by the assertion, and writable by the contract of `foreign`; there are no
        // references to it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(offset), bytes.len()) }
    }

    /// The word at `offset`.
    #[inline]
    pub(crate) fn word(&self, offset: usize) -> u32 {
        assert!(self.holds(offset, 4), "a read was checked before");
        // SAFETY: the range is inside by the assertion; the read need not be aligned.
        unsafe { self.start.add(offset).cast::<u32>().read_unaligned() }
    }

    /// Copies words from `offset` on.
    #[inline]
    pub(crate) fn words(&self, offset: usize, out: &mut [u32]) {
        assert!(self.holds(offset, size_of_val(out)), "a read was checked before");
        // SAFETY: as for `copy_out`; every pattern of bits is a word.
        unsafe {
            ptr::copy_nonoverlapping(self.start.add(offset), out.as_mut_ptr().cast(), size_of_val(out));
        }
    }

    /// Copies words to `offset` and on.
    #[inline]
    pub(crate) fn set_words(&self, offset: usize, words: &[u32]) {
        assert!(self.holds(offset, size_of_val(words)), "a write was checked before");
        // SAFETY: as for `copy_in`.
        unsafe {
            ptr::copy_nonoverlapping(words.as_ptr().cast(), self.start.add(offset), size_of_val(words));
        }
    }

    /// A copy of all bytes.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        let mut out = vec![0; self.len];
        self.copy_out(0, &mut out);
        out
    }
}

#[expect(unsafe_code, reason = "gives back what `own` took")]
impl Drop for Bytes {
    fn drop(&mut self) {
        if let Some(layout) = self.own {
            // SAFETY: `own` allocated it with this layout, and nobody else frees it.
            unsafe { alloc::dealloc(self.start, layout) }
        }
    }
}

#[expect(unsafe_code, reason = "the contract is the caller's, and handed on")]
impl Memory {
    /// Lets kernels see `len` bytes at `start`. `name` stands in errors.
    ///
    /// `watched` memory counts as never written until a kernel writes it, or [`Memory::mark_written`] says so;
    /// a read of bytes that were never written is an error.
    ///
    /// # Safety
    ///
    /// The bytes can be read, and written where `writable`, until [`Memory::unmap`] or the end of this memory.
    /// No Rust reference to them is used while a kernel runs.
    pub unsafe fn map(&mut self, start: *mut u8, len: usize, name: String, writable: bool, watched: bool) {
        // SAFETY: the contract of this function is that of `foreign`.
        let bytes = unsafe { Bytes::foreign(start, len) };
        let written = watched.then(|| Written::new(len));
        self.insert(Region { base: bytes.address(), bytes, writable, name, written });
    }
}

#[cfg(test)]
#[expect(unsafe_code, reason = "the tests map memory")]
mod tests {
    use super::*;
    use crate::memory::View;

    #[test]
    fn regions_of_the_process_have_its_addresses_and_can_go() {
        let mut memory = Memory::of_process();
        let mut other = vec![7u8; 32];
        let start = other.as_mut_ptr();
        // SAFETY: `other` lives to the end of the test and is not touched meanwhile.
        unsafe {
            memory.map(start, 32, "other".to_owned(), true, false);
        }
        let base = start.expose_provenance() as u64;
        let mut view = View::direct(&memory);
        let mut out = [0; 4];
        view.read(base + 28, &mut out).unwrap();
        assert_eq!(out, [7; 4]);
        view.write(base, &[9]).unwrap();
        assert!(memory.unmap(base) && !memory.unmap(base));
        assert_eq!(other[..2], [9, 7]);
    }

    #[test]
    fn bytes_that_nobody_wrote_are_told() {
        let mut memory = Memory::of_process();
        let mut other = vec![0u8; 256];
        let start = other.as_mut_ptr();
        // SAFETY: `other` lives to the end of the test and is not touched meanwhile.
        unsafe {
            memory.map(start, 256, "other".to_owned(), true, true);
        }
        let base = start.expose_provenance() as u64;
        memory.mark_written(base, 64);
        let mut view = View::direct(&memory);
        let mut out = [0; 8];
        view.read(base + 56, &mut out).unwrap();
        assert!(view.read(base + 60, &mut out).unwrap_err().contains("never written"));
        view.write(base + 64, &[0; 4]).unwrap();
        view.read(base + 60, &mut out).unwrap();
        assert!(view.read(base + 61, &mut out).is_err());
        assert_eq!(other[0], 0);
    }
}
