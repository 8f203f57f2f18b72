//! Writes of a workgroup that runs beside others, and what it read.
//!
//! The rule is that a dispatch behaves as if its workgroups ran one after another, in order. Workgroups of a
//! batch run in parallel against the same memory; then they commit in order. One that read a word which an
//! earlier one of the batch wrote runs again on the committed memory. Results, markers and times are
//! therefore those of the serial order, for any number of threads.

use std::collections::HashMap;

use super::{Memory, MemoryPlace};

const PAGE: usize = 1024;
const WORDS: usize = PAGE / 4;

/// A piece of memory with marks for what was written (bytes) and read (words).
#[derive(Debug, Clone)]
struct Page {
    bytes: [u8; PAGE],
    written: [u64; PAGE / 64],
    read: [u64; WORDS / 64],
}

impl Page {
    fn new() -> Box<Page> {
        Box::new(Page { bytes: [0; PAGE], written: [0; PAGE / 64], read: [0; WORDS / 64] })
    }

    fn mask(&self, at: usize, len: usize) -> u64 {
        // `at..at + len` lies in one 64-byte line.
        self.written[at / 64] >> (at % 64) & ones(len)
    }
}

fn ones(len: usize) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}

/// Cuts an access into pieces that stay within one 64-byte line of one page.
fn pieces(offset: usize, len: usize) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let at = offset + done;
        let n = (64 - at % 64).min(len - done);
        let piece = (at / PAGE, at % PAGE, done, n);
        done += n;
        Some(piece)
    })
}

/// The overlay of one workgroup.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    pages: Vec<Vec<Option<Box<Page>>>>,
}

impl Overlay {
    fn page(&mut self, region: usize, page: usize) -> &mut Page {
        if self.pages.len() <= region {
            self.pages.resize_with(region + 1, Vec::new);
        }
        let pages = &mut self.pages[region];
        if pages.len() <= page {
            pages.resize_with(page + 1, || None);
        }
        pages[page].get_or_insert_with(Page::new)
    }

    pub(crate) fn read(&mut self, memory: &Memory, (region, offset): MemoryPlace, out: &mut [u8]) {
        let base = &memory.regions[region].bytes;
        let tracked = memory.regions[region].writable;
        for (page, at, done, n) in pieces(offset, out.len()) {
            let target = &mut out[done..done + n];
            let from = page * PAGE + at;
            target.copy_from_slice(&base[from..from + n]);
            if !tracked {
                continue;
            }
            let page = self.page(region, page);
            let mask = page.mask(at, n);
            if mask != ones(n) {
                let (first, last) = (at / 4, (at + n - 1) / 4);
                page.read[first / 64] |= ones(last - first + 1) << (first % 64);
            }
            if mask != 0 {
                for (k, byte) in target.iter_mut().enumerate() {
                    if mask >> k & 1 != 0 {
                        *byte = page.bytes[at + k];
                    }
                }
            }
        }
    }

    pub(crate) fn write(&mut self, (region, offset): MemoryPlace, bytes: &[u8]) {
        for (page, at, done, n) in pieces(offset, bytes.len()) {
            let page = self.page(region, page);
            page.bytes[at..at + n].copy_from_slice(&bytes[done..done + n]);
            page.written[at / 64] |= ones(n) << (at % 64);
        }
    }

    fn each(&self) -> impl Iterator<Item = ((usize, usize), &Page)> {
        self.pages.iter().enumerate().flat_map(|(r, pages)| {
            pages.iter().enumerate().filter_map(move |(p, page)| Some(((r, p), page.as_deref()?)))
        })
    }
}

/// Words written by the workgroups of a batch that have committed.
#[derive(Debug, Default)]
pub(crate) struct Committed {
    words: HashMap<(usize, usize), [u64; WORDS / 64]>,
}

impl Committed {
    /// True where `overlay` read a word that was written since its batch began.
    pub(crate) fn conflicts(&self, overlay: &Overlay) -> bool {
        !self.words.is_empty()
            && overlay.each().any(|(key, page)| {
                self.words.get(&key).is_some_and(|w| w.iter().zip(&page.read).any(|(a, b)| a & b != 0))
            })
    }

    /// Writes an overlay to memory.
    pub(crate) fn commit(&mut self, memory: &mut Memory, overlay: &Overlay) {
        for ((region, index), page) in overlay.each() {
            if page.written.iter().all(|&w| w == 0) {
                continue;
            }
            let words = self.words.entry((region, index)).or_default();
            let base = &mut memory.regions[region].bytes;
            for (line, &mask) in page.written.iter().enumerate() {
                for k in (0..64).filter(|k| mask >> k & 1 != 0) {
                    let at = line * 64 + k;
                    base[index * PAGE + at] = page.bytes[at];
                    words[at / 4 / 64] |= 1 << (at / 4 % 64);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> (Memory, u64) {
        let mut memory = Memory::new(vec![0; 16]);
        let base = memory.add("b".to_owned(), (0..=255).cycle().take(4096).collect(), true);
        (memory, base)
    }

    #[test]
    fn own_writes_are_seen_and_merge_with_memory() {
        let (memory, base) = memory();
        let place = memory.find(base, 1).unwrap();
        let mut overlay = Overlay::default();
        overlay.write((place.0, 1023), &[9, 8]);
        let mut out = [0; 6];
        overlay.read(&memory, (place.0, 1021), &mut out);
        assert_eq!(out, [253, 254, 9, 8, 1, 2]);
    }

    #[test]
    fn a_read_of_an_earlier_write_conflicts_and_a_neighbour_does_not() {
        let (mut memory, base) = memory();
        let region = memory.find(base, 1).unwrap().0;
        let (mut writer, mut reader, mut neighbour) =
            (Overlay::default(), Overlay::default(), Overlay::default());
        writer.write((region, 8), &[1]);
        reader.read(&memory, (region, 11), &mut [0]);
        neighbour.read(&memory, (region, 12), &mut [0; 4]);
        let mut committed = Committed::default();
        committed.commit(&mut memory, &writer);
        assert!(committed.conflicts(&reader));
        assert!(!committed.conflicts(&neighbour));
        assert_eq!(memory.regions[region].bytes[8], 1);
    }
}
