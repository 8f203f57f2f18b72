//! The way of a workgroup to memory.

use super::Memory;
use super::overlay::Overlay;
use crate::wave::Row;

/// A refused access: the reason.
pub(crate) type Refused = String;

/// The way of a workgroup to memory.
#[derive(Debug)]
pub(crate) struct View<'a> {
    memory: &'a Memory,
    /// The workgroup's writes where it runs beside others, until they are committed. Alone, reads and writes go
    /// straight through.
    overlay: Option<Overlay>,
    /// The region of the last access: the next one is mostly there, too.
    last: usize,
}

impl<'a> View<'a> {
    /// The view of a workgroup that runs alone.
    pub(crate) fn direct(memory: &'a Memory) -> View<'a> {
        View { memory, overlay: None, last: 0 }
    }

    /// The view of a workgroup that runs beside others.
    pub(crate) fn beside_others(memory: &'a Memory) -> View<'a> {
        View { memory, overlay: Some(Overlay::default()), last: 0 }
    }

    /// The writes that wait for their commit.
    pub(crate) fn into_overlay(self) -> Overlay {
        self.overlay.unwrap_or_default()
    }

    /// The region of `len` bytes at `address`, and their offset.
    #[inline]
    fn place(&mut self, address: u64, len: usize) -> Result<(usize, usize), Refused> {
        if let Some(offset) = self.memory.regions.get(self.last).and_then(|r| r.offset(address, len)) {
            return Ok((self.last, offset));
        }
        self.search(address, len)
    }

    #[inline(never)]
    fn search(&mut self, address: u64, len: usize) -> Result<(usize, usize), Refused> {
        let place = self.memory.find(address, len).ok_or_else(|| self.memory.describe(address))?;
        self.last = place.0;
        Ok(place)
    }

    /// Reads `out.len()` bytes. Inlined, so that a constant length is no call.
    #[inline(always)]
    pub(crate) fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Refused> {
        let (region, offset) = self.place(address, out.len())?;
        let region = &self.memory.regions[region];
        region.bytes.copy_out(offset, out);
        if let Some(written) = &region.written
            && let Some(at) = written.first_missing(offset, out.len())
        {
            return Err(format!("byte {at} of {} was never written", region.name));
        }
        if let (Some(overlay), true) = (&mut self.overlay, region.writable) {
            overlay.read(address, out);
        }
        Ok(())
    }

    /// Reads `N` words.
    #[inline]
    pub(crate) fn words<const N: usize>(&mut self, address: u64) -> Result<[u32; N], Refused> {
        let mut bytes = [[0; 4]; N];
        self.read(address, bytes.as_flattened_mut())?;
        Ok(bytes.map(u32::from_le_bytes))
    }

    /// Writes bytes.
    #[inline(always)]
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Refused> {
        let (region, offset) = self.place(address, bytes.len())?;
        let region = &self.memory.regions[region];
        if !region.writable {
            return Err(format!("{} is read-only", region.name));
        }
        if let Some(written) = &region.written {
            written.mark(offset, bytes.len());
        }
        match &mut self.overlay {
            None => region.bytes.copy_in(offset, bytes),
            Some(overlay) => overlay.write(address, bytes),
        }
        Ok(())
    }

    /// Loads `rows.len()` words for each of the first `lanes` lanes, where all lanes' words follow each other in one
    /// region. False where they do not, and nothing is loaded.
    pub(crate) fn load_rows(&mut self, addresses: &[u64; 64], lanes: usize, rows: &mut [Row]) -> bool {
        let words = rows.len();
        let Some(offset) = self.consecutive(addresses, lanes, words, false) else { return false };
        let region = &self.memory.regions[self.last];
        if let (Some(overlay), true) = (&mut self.overlay, region.writable) {
            let mut line = [0; 4 * 64];
            let line = &mut line[..words * lanes];
            region.bytes.words(offset, line);
            overlay.read_words(addresses[0], line);
            for (k, row) in rows.iter_mut().enumerate() {
                row.iter_mut().zip(line[k..].iter().step_by(words)).for_each(|(to, from)| *to = *from);
            }
        } else if let [row] = rows {
            region.bytes.words(offset, &mut row[..lanes]);
        } else {
            for (k, row) in rows.iter_mut().enumerate() {
                for (l, word) in row[..lanes].iter_mut().enumerate() {
                    *word = region.bytes.word(offset + 4 * (l * words + k));
                }
            }
        }
        true
    }

    /// Stores `rows.len()` words for each of the first `lanes` lanes, where all lanes' words follow each other in
    /// one region. False where they do not, and nothing is stored.
    pub(crate) fn store_rows(&mut self, addresses: &[u64; 64], lanes: usize, rows: &[Row]) -> bool {
        let words = rows.len();
        let Some(offset) = self.consecutive(addresses, lanes, words, true) else { return false };
        let region = &self.memory.regions[self.last];
        let mut line = [0; 4 * 64];
        let line = &mut line[..words * lanes];
        for (k, row) in rows.iter().enumerate() {
            line[k..].iter_mut().step_by(words).zip(&row[..lanes]).for_each(|(to, from)| *to = *from);
        }
        match &mut self.overlay {
            Some(overlay) => overlay.write_words(addresses[0], line),
            None => region.bytes.set_words(offset, line),
        }
        true
    }

    /// The offset of words that follow each other, in a region that nobody watches.
    #[inline]
    fn consecutive(
        &mut self,
        addresses: &[u64; 64],
        lanes: usize,
        words: usize,
        writes: bool,
    ) -> Option<usize> {
        let first = addresses[0];
        // Most rows that do not follow each other show it in the first two lanes.
        if first & 3 != 0 || addresses[1] != first.wrapping_add(4 * words as u64) {
            return None;
        }
        let mut differ = 0;
        for (l, &address) in addresses[..lanes].iter().enumerate() {
            differ |= address ^ first.wrapping_add((4 * words * l) as u64);
        }
        if differ != 0 {
            return None;
        }
        let (region, offset) = self.place(first, 4 * words * lanes).ok()?;
        let region = &self.memory.regions[region];
        (region.written.is_none() && (region.writable || !writes)).then_some(offset)
    }
}
