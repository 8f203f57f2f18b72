//! Tables of numbers: `[[1,2,3],[4,5,6],…]`, the bulk of every trace.

use std::io::Read;

use super::{JsonReader, Number, Result};

/// Why a row was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFault {
    /// Fewer columns than the table needs.
    Short,
    /// Something that is no number of 64 bits.
    NotIntegers,
    /// Something that is no array.
    NotARow,
    /// Numbers that whoever reads the table has no use for, and why.
    OutOfRange(&'static str),
}

/// Ok if the reader of a table took a row, or else what is wrong with its numbers.
pub(crate) type Taken = std::result::Result<(), &'static str>;

impl RowFault {
    /// In words; `columns` is what the table needs.
    pub(crate) fn text(self, columns: usize) -> String {
        match self {
            RowFault::Short => format!("a row with fewer than {columns} columns"),
            RowFault::NotIntegers => {
                format!("a row with something else than integers in its {columns} columns")
            }
            RowFault::NotARow => "an element that is no row".to_owned(),
            RowFault::OutOfRange(what) => what.to_owned(),
        }
    }
}

/// Columns beyond those asked for, of which the first few are kept.
pub(crate) type Extra = [Option<i64>; 8];

impl<R: Read> JsonReader<R> {
    /// Calls `row` with the first `N` columns of every row, and `fault`, with its byte, for every
    /// element that is no such row, or of which `row` says what is wrong with its numbers. Further columns are
    /// skipped.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        mut row: impl FnMut([i64; N]) -> Taken,
        mut fault: impl FnMut(u64, RowFault),
    ) -> Result<()> {
        if !self.begin_rows()? {
            return Ok(());
        }
        loop {
            self.fast_rows(&mut row, &mut fault);
            self.any_row(&mut |columns, _| row(columns), &mut fault)?;
            if !self.after_element()? {
                return Ok(());
            }
        }
    }

    /// Reads like [`JsonReader::rows`], with the columns after the first `N`.
    pub(crate) fn wide_rows<const N: usize>(
        &mut self,
        mut row: impl FnMut([i64; N], Extra) -> Taken,
        mut fault: impl FnMut(u64, RowFault),
    ) -> Result<()> {
        if !self.begin_rows()? {
            return Ok(());
        }
        loop {
            self.any_row(&mut row, &mut fault)?;
            if !self.after_element()? {
                return Ok(());
            }
        }
    }

    /// Takes the bracket. False where there is no row.
    fn begin_rows(&mut self) -> Result<bool> {
        if self.peek_token()? == Some(b'n') {
            self.skip()?;
            return Ok(false);
        }
        self.expect(b'[', "a table")?;
        if self.peek_token()? == Some(b']') {
            self.at += 1;
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads rows of exactly `N` plain integers as long as they and the commas behind them are whole
    /// in the buffer. Whatever is left is for [`JsonReader::any_row`], which knows every case.
    fn fast_rows<const N: usize>(
        &mut self,
        row: &mut impl FnMut([i64; N]) -> Taken,
        fault: &mut impl FnMut(u64, RowFault),
    ) {
        let bytes = &self.buffer[..self.end];
        let mut at = self.at;
        'rows: loop {
            let mut columns = [0_i64; N];
            let start = skip_space(bytes, at);
            if bytes.get(start) != Some(&b'[') {
                break;
            }
            let mut next = start + 1;
            for (index, column) in columns.iter_mut().enumerate() {
                let separator = if index + 1 == N { b']' } else { b',' };
                let Some((value, end)) = column_of(bytes, next, separator) else { break 'rows };
                (*column, next) = (value, end);
            }
            next = skip_space(bytes, next);
            if bytes.get(next) != Some(&b',') {
                break;
            }
            at = next + 1;
            if let Err(what) = row(columns) {
                fault(self.base + start as u64, RowFault::OutOfRange(what));
            }
        }
        self.at = at;
    }

    fn any_row<const N: usize>(
        &mut self,
        row: &mut impl FnMut([i64; N], Extra) -> Taken,
        fault: &mut impl FnMut(u64, RowFault),
    ) -> Result<()> {
        if self.peek_token()? != Some(b'[') {
            let offset = self.offset();
            self.skip()?;
            fault(offset, RowFault::NotARow);
            return Ok(());
        }
        let offset = self.offset();
        self.at += 1;
        let (mut columns, mut extra) = ([0_i64; N], Extra::default());
        let (mut count, mut integers) = (0, true);
        if self.peek_token()? == Some(b']') {
            self.at += 1;
        } else {
            loop {
                if count < N + extra.len() {
                    let value = self.number()?.and_then(Number::time);
                    if count < N {
                        integers &= value.is_some();
                        columns[count] = value.unwrap_or_default();
                    } else {
                        extra[count - N] = value;
                    }
                } else {
                    self.skip()?;
                }
                count += 1;
                if !self.after_element()? {
                    break;
                }
            }
        }
        if count < N {
            fault(offset, RowFault::Short);
        } else if !integers {
            fault(offset, RowFault::NotIntegers);
        } else if let Err(what) = row(columns, extra) {
            fault(offset, RowFault::OutOfRange(what));
        }
        Ok(())
    }
}

#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// An integer and what separates it from the next, and where that begins. `None` for everything else, and within
/// 8 bytes of the buffer's end.
#[inline(always)]
fn column_of(bytes: &[u8], at: usize, separator: u8) -> Option<(i64, usize)> {
    let &[first, second, ..] = bytes.get(at..)?.first_chunk::<8>()?;
    // Most columns are one digit.
    if first.is_ascii_digit() && second == separator {
        return Some((i64::from(first - b'0'), at + 2));
    }
    let (value, end) = integer(bytes, skip_space(bytes, at))?;
    let end = skip_space(bytes, end);
    (bytes.get(end) == Some(&separator)).then_some((value, end + 1))
}

/// An integer of at most 18 digits, which fits 64 bits whatever they are, and where it ends.
#[inline]
fn integer(bytes: &[u8], mut at: usize) -> Option<(i64, usize)> {
    let negative = *bytes.get(at)? == b'-';
    at += usize::from(negative);
    let (mut value, mut count) = digits(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    if count == 8 {
        while let Some(digit @ b'0'..=b'9') = bytes.get(at + count) {
            if count == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            count += 1;
        }
    }
    (count > 0).then_some((if negative { -value } else { value }, at + count))
}

/// The number that 8 characters begin with, the first in the lowest byte, and how many digits it has. All digits are
/// taken at once: neighbours become numbers below 100, those numbers below 10,000, and so on.
#[inline]
pub(super) fn digits(text: u64) -> (i64, usize) {
    // A digit is below 10 now, and adding 118 to another byte, or it itself, reaches 128. Carries go up only.
    let bytes = text ^ 0x3030_3030_3030_3030;
    let others = (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080;
    let bits = others.trailing_zeros() & 0x78;
    if bits == 0 {
        return (0, 0);
    }
    // What is no digit is shifted out, and zeros come before the others.
    let digits = bytes << (64 - bits);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let value = (fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF;
    (value as i64, bits as usize / 8)
}
