//! Bytes at addresses: of the program's own memory and of what it allocated here.

/// Copies bytes as `memmove` does.
pub(crate) fn copy(to: usize, from: usize, length: usize) {
    // SAFETY: the caller of the HIP function vouches for both ranges; those in this library's own allocations were
    // checked against their bounds.
    unsafe { std::ptr::copy(from as *const u8, to as *mut u8, length) };
}

/// Fills `length` bytes with a pattern that starts anew at `to`.
pub(crate) fn fill(to: usize, pattern: &[u8], length: usize) {
    if let [byte] = *pattern {
        // SAFETY: as in `copy`.
        unsafe { std::ptr::write_bytes(to as *mut u8, byte, length) };
        return;
    }
    let mut done = 0;
    while done < length {
        let part = pattern.len().min(length - done);
        // SAFETY: as in `copy`; the pattern is another object.
        unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), (to + done) as *mut u8, part) };
        done += part;
    }
}

/// Reads bytes.
pub(crate) fn read(from: usize, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    copy(bytes.as_mut_ptr() as usize, from, length);
    bytes
}

/// Writes bytes.
pub(crate) fn write(to: usize, bytes: &[u8]) {
    copy(to, bytes.as_ptr() as usize, bytes.len());
}

/// Reads a word.
pub(crate) fn word(from: usize) -> usize {
    let mut bytes = [0; size_of::<usize>()];
    copy(bytes.as_mut_ptr() as usize, from, bytes.len());
    usize::from_le_bytes(bytes)
}
