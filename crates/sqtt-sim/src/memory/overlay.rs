//! Writes of a workgroup that runs beside others, and what it read.
//!
//! The rule is that a dispatch behaves as if its workgroups ran one after another, in order. Workgroups of a
//! batch run in parallel against the same memory; then they commit in order. One that read a word which an
//! earlier one of the batch wrote runs again on the committed memory. Results, markers and times are
//! therefore those of the serial order, for any number of threads.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Memory, View};

const PAGE: usize = 1024;
const WORDS: usize = PAGE / 4;

/// A piece of memory with marks for what was written (bytes) and read (words).
#[derive(Debug)]
struct Page {
    number: u64,
    bytes: [u8; PAGE],
    written: [u64; PAGE / 64],
    read: [u64; WORDS / 64],
}

impl Page {
    fn new(number: u64) -> Page {
        Page { number, bytes: [0; PAGE], written: [0; PAGE / 64], read: [0; WORDS / 64] }
    }

    fn mask(&self, at: usize, len: usize) -> u64 {
        // `at..at + len` lies in one 64-byte line.
        self.written[at / 64] >> (at % 64) & ones(len)
    }
}

fn ones(len: usize) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// Cuts an access into pieces that stay within one 64-byte line of one page: the page's number, the offset in
/// it, the offset in the access, and the length.
fn pieces(address: u64, len: usize) -> impl Iterator<Item = (u64, usize, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let from = address + done as u64;
        let at = (from % PAGE as u64) as usize;
        let n = (64 - at % 64).min(len - done);
        let piece = (from / PAGE as u64, at, done, n);
        done += n;
        Some(piece)
    })
}

/// Page numbers need no more than to be spread.
#[derive(Debug, Default, Clone, Copy)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(u64::from(b)));
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }
}

type PageMap<T> = HashMap<u64, T, BuildHasherDefault<Spread>>;

/// The overlay of one workgroup.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    pages: Vec<Page>,
    index: PageMap<usize>,
    /// The page of the last access.
    last: usize,
}

impl Overlay {
    #[inline]
    fn page(&mut self, number: u64) -> &mut Page {
        if self.pages.get(self.last).is_none_or(|page| page.number != number) {
            self.last = *self.index.entry(number).or_insert_with(|| {
                self.pages.push(Page::new(number));
                self.pages.len() - 1
            });
        }
        &mut self.pages[self.last]
    }

    /// Puts what was written over the bytes that memory has at `address`, and notes the rest as read.
    #[inline]
    pub(crate) fn read(&mut self, address: u64, out: &mut [u8]) {
        for (page, at, done, n) in pieces(address, out.len()) {
            let page = self.page(page);
            let mask = page.mask(at, n);
            if mask != ones(n) {
                let (first, last) = (at / 4, (at + n - 1) / 4);
                page.read[first / 64] |= ones(last - first + 1) << (first % 64);
            }
            if mask != 0 {
                for (k, byte) in out[done..done + n].iter_mut().enumerate() {
                    if mask >> k & 1 != 0 {
                        *byte = page.bytes[at + k];
                    }
                }
            }
        }
    }

    /// Reads like [`Overlay::read`], whole words at an address that is a multiple of 4.
    pub(crate) fn read_words(&mut self, address: u64, out: &mut [u32]) {
        for (page, at, done, n) in pieces(address, 4 * out.len()) {
            let page = self.page(page);
            let mask = page.mask(at, n);
            if mask != ones(n) {
                page.read[at / 4 / 64] |= ones(n / 4) << (at / 4 % 64);
            }
            if mask != 0 {
                for (k, word) in out[done / 4..(done + n) / 4].iter_mut().enumerate() {
                    let mut bytes = word.to_le_bytes();
                    for (b, byte) in bytes.iter_mut().enumerate() {
                        if mask >> (4 * k + b) & 1 != 0 {
                            *byte = page.bytes[at + 4 * k + b];
                        }
                    }
                    *word = u32::from_le_bytes(bytes);
                }
            }
        }
    }

    #[inline]
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) {
        for (page, at, done, n) in pieces(address, bytes.len()) {
            let page = self.page(page);
            page.bytes[at..at + n].copy_from_slice(&bytes[done..done + n]);
            page.written[at / 64] |= ones(n) << (at % 64);
        }
    }

    /// Writes whole words at an address that is a multiple of 4.
    pub(crate) fn write_words(&mut self, address: u64, words: &[u32]) {
        for (page, at, done, n) in pieces(address, 4 * words.len()) {
            let page = self.page(page);
            for (bytes, word) in page.bytes[at..at + n].chunks_mut(4).zip(&words[done / 4..]) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            page.written[at / 64] |= ones(n) << (at % 64);
        }
    }
}

/// Words written by the workgroups of a batch that have committed.
#[derive(Debug, Default)]
pub(crate) struct Committed {
    words: PageMap<[u64; WORDS / 64]>,
}

impl Committed {
    /// True where `overlay` read a word that was written since its batch began.
    pub(crate) fn conflicts(&self, overlay: &Overlay) -> bool {
        !self.words.is_empty()
            && overlay.pages.iter().any(|page| {
                let words = self.words.get(&page.number);
                words.is_some_and(|w| w.iter().zip(&page.read).any(|(a, b)| a & b != 0))
            })
    }

    /// Writes an overlay to memory.
    pub(crate) fn commit(&mut self, memory: &Memory, overlay: &Overlay) {
        let mut view = View::direct(memory);
        for page in &overlay.pages {
            if page.written.iter().all(|&w| w == 0) {
                continue;
            }
            let words = self.words.entry(page.number).or_default();
            for (line, &mask) in page.written.iter().enumerate() {
                for (from, n) in runs(mask) {
                    let at = line * 64 + from;
                    let address = page.number * PAGE as u64 + at as u64;
                    let bytes = &page.bytes[at..at + n];
                    // A run may cross from one region into the next one.
                    if view.write(address, bytes).is_err() {
                        for (k, byte) in bytes.iter().enumerate() {
                            // Every byte was checked when it was written to the overlay.
                            let _ = view.write(address + k as u64, std::slice::from_ref(byte));
                        }
                    }
                    let (first, last) = (at / 4, (at + n - 1) / 4);
                    words[first / 64] |= ones(last - first + 1) << (first % 64);
                }
            }
        }
    }
}

/// The runs of set bits: first bit and length.
fn runs(mut mask: u64) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let from = mask.trailing_zeros();
        let n = (mask >> from).trailing_ones();
        mask &= !((u64::MAX >> (64 - n)) << from);
        Some((from as usize, n as usize))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> (Memory, u64) {
        let mut memory = Memory::simulated();
        let base = memory.add("b".to_owned(), &(0..=255).cycle().take(4096).collect::<Vec<_>>(), true);
        (memory, base)
    }

    #[test]
    fn own_writes_are_seen_and_merge_with_memory() {
        let (memory, base) = memory();
        let mut view = View::beside_others(&memory);
        view.write(base + 1023, &[9, 8]).unwrap();
        let mut out = [0; 6];
        view.read(base + 1021, &mut out).unwrap();
        assert_eq!(out, [253, 254, 9, 8, 1, 2]);
    }

    #[test]
    fn rows_of_words_are_the_bytes() {
        let (memory, base) = memory();
        let addresses = std::array::from_fn(|l| base + 1000 + 4 * l as u64);
        let mut view = View::beside_others(&memory);
        view.write(base + 1002, &[0xaa]).unwrap();
        let mut row = [0; 64];
        assert!(view.load_rows(&addresses, 64, std::slice::from_mut(&mut row)));
        assert_eq!(row[..2], [0xebaa_e9e8, 0xefee_edec]);
        row[1] = 0x0102_0304;
        assert!(view.store_rows(&addresses, 64, &[row]));
        let mut committed = Committed::default();
        committed.commit(&memory, &view.into_overlay());
        assert_eq!(memory.region_bytes(base)[1000..1008], [0xe8, 0xe9, 0xaa, 0xeb, 4, 3, 2, 1]);
    }

    #[test]
    fn a_read_of_an_earlier_write_conflicts_and_a_neighbour_does_not() {
        let (memory, base) = memory();
        let view = || View::beside_others(&memory);
        let (mut writer, mut reader, mut neighbour) = (view(), view(), view());
        writer.write(base + 8, &[1]).unwrap();
        reader.read(base + 11, &mut [0]).unwrap();
        neighbour.read(base + 12, &mut [0; 4]).unwrap();
        let mut committed = Committed::default();
        committed.commit(&memory, &writer.into_overlay());
        assert!(committed.conflicts(&reader.into_overlay()));
        assert!(!committed.conflicts(&neighbour.into_overlay()));
        assert_eq!(memory.region_bytes(base)[8], 1);
    }

    #[test]
    fn runs_of_bits() {
        assert_eq!(runs(0b1_0110).collect::<Vec<_>>(), [(1, 2), (4, 1)]);
        assert_eq!(runs(u64::MAX).collect::<Vec<_>>(), [(0, 64)]);
        assert_eq!(runs(1 << 63).collect::<Vec<_>>(), [(63, 1)]);
    }
}
