//! A pull reader for the JSON of trace folders.
//!
//! Own code, because the files ask for what JSON libraries do not do together: a file that was cut off
//! in the middle gives everything up to the cut, every complaint has its byte, names may hold what is
//! not UTF-8 and lone surrogates, no value is held as a tree, nesting takes no stack, and a table of
//! numbers is read at the speed of the fastest parsers (`rows`).
//!
//! The reader holds one buffer of the file; strings are bounded by [`STRING_LIMIT`].

mod rows;
mod text;
mod value;

use std::io::{self, Read};

#[cfg(test)]
use rows::RowFault;
pub(crate) use rows::Taken;
pub use value::{JsonError, JsonReason};
pub(crate) use value::{JsonKind, Number};

/// Bytes of the file that are held at a time.
const BUFFER: usize = 1 << 18;
/// The longest string that is read: names of templates reach tens of kilobytes.
pub(crate) const STRING_LIMIT: usize = 1 << 20;

type Result<T> = std::result::Result<T, JsonError>;

/// See the [module](self).
pub(crate) struct JsonReader<R> {
    source: R,
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// Byte of the file where the buffer starts.
    base: u64,
    ended: bool,
    /// Why nothing more can be read, once what was read before is used up.
    failed: Option<io::Error>,
}

impl<R: Read> JsonReader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, buffer: vec![0; BUFFER].into(), at: 0, end: 0, base: 0, ended: false, failed: None }
    }

    /// Byte of the file that is read next.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    pub(crate) fn fail<T>(&self, reason: JsonReason) -> Result<T> {
        Err(JsonError { offset: self.offset(), reason })
    }

    /// Moves what is left to the front of the buffer and reads more. False at the end of the file.
    fn refill(&mut self) -> Result<bool> {
        if let Some(error) = self.failed.take() {
            return self.fail(JsonReason::Io(error));
        }
        if self.ended {
            return Ok(false);
        }
        self.buffer.copy_within(self.at..self.end, 0);
        self.base += self.at as u64;
        self.end -= self.at;
        self.at = 0;
        let before = self.end;
        while self.end < self.buffer.len() {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    if self.end == before {
                        return self.fail(JsonReason::Io(error));
                    }
                    self.failed = Some(error);
                    break;
                }
            }
        }
        Ok(self.end > before)
    }

    /// The next byte, which is not taken.
    fn peek(&mut self) -> Result<Option<u8>> {
        if self.at == self.end && !self.refill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.at]))
    }

    /// The next byte that is no white space, which is not taken.
    fn peek_token(&mut self) -> Result<Option<u8>> {
        loop {
            while self.at < self.end {
                match self.buffer[self.at] {
                    b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                    byte => return Ok(Some(byte)),
                }
            }
            if !self.refill()? {
                return Ok(None);
            }
        }
    }

    fn unexpected<T>(&self, expected: &'static str) -> Result<T> {
        let rest = &self.buffer[self.at..self.end];
        let found = rest[..rest.len().min(16)].escape_ascii().to_string();
        self.fail(JsonReason::Unexpected { expected, found: format!("\"{found}\"") })
    }

    fn expect(&mut self, byte: u8, expected: &'static str) -> Result<()> {
        match self.peek_token()? {
            None => self.fail(JsonReason::Truncated),
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => self.unexpected(expected),
        }
    }

    /// Kind of the next value.
    pub(crate) fn kind(&mut self) -> Result<JsonKind> {
        Ok(match self.peek_token()? {
            None => return self.fail(JsonReason::Truncated),
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b'n') => JsonKind::Null,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'-' | b'0'..=b'9') => JsonKind::Number,
            Some(_) => return self.unexpected("a value"),
        })
    }

    /// Calls `member` for each key of an object; it must read or skip the value. `null` is the empty
    /// object, as one of the writers has it.
    pub(crate) fn object(&mut self, mut member: impl FnMut(&mut Self, &[u8]) -> Result<()>) -> Result<()> {
        if self.kind()? == JsonKind::Null {
            return self.skip();
        }
        self.expect(b'{', "an object")?;
        if self.peek_token()? == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.expect(b':', "':' after a key")?;
            member(self, &key)?;
            match self.peek_token()? {
                None => return self.fail(JsonReason::Truncated),
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(_) => return self.unexpected("',' or '}' in an object"),
            }
        }
    }

    /// Reads like [`JsonReader::object`], for the one value of a file: only white space may follow it.
    pub(crate) fn document(&mut self, member: impl FnMut(&mut Self, &[u8]) -> Result<()>) -> Result<()> {
        self.object(member)?;
        match self.peek_token()? {
            None => Ok(()),
            Some(_) => self.unexpected("the end of the file"),
        }
    }

    /// Calls `element` for each element of an array; it must read or skip it. `null` is the empty array.
    pub(crate) fn array(&mut self, mut element: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        if self.kind()? == JsonKind::Null {
            return self.skip();
        }
        self.expect(b'[', "an array")?;
        if self.peek_token()? == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        for index in 0.. {
            element(self, index)?;
            if !self.after_element()? {
                break;
            }
        }
        Ok(())
    }

    /// Takes the comma or the end of an array. False at its end.
    fn after_element(&mut self) -> Result<bool> {
        match self.peek_token()? {
            None => self.fail(JsonReason::Truncated),
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(b']') => {
                self.at += 1;
                Ok(false)
            }
            Some(_) => self.unexpected("',' or ']' in an array"),
        }
    }

    /// A number; `None`, with the value skipped, where something else stands.
    pub(crate) fn number(&mut self) -> Result<Option<Number>> {
        if self.kind()? != JsonKind::Number {
            self.skip()?;
            return Ok(None);
        }
        let mut text = [0u8; 48];
        let mut length = 0;
        let mut fits = true;
        while let Some(byte @ (b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) = self.peek()? {
            match text.get_mut(length) {
                Some(place) => *place = byte,
                None => fits = false,
            }
            length += 1;
            self.at += 1;
        }
        if !fits {
            return Ok(Some(Number::Float(f64::NAN)));
        }
        // Only ASCII was taken.
        let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
        if let Ok(value) = text.parse() {
            return Ok(Some(Number::Int(value)));
        }
        if let Ok(value) = text.parse() {
            return Ok(Some(Number::Unsigned(value)));
        }
        match text.parse() {
            Ok(value) => Ok(Some(Number::Float(value))),
            Err(_) => self.unexpected("a number before this"),
        }
    }

    /// An unsigned number that must be one; `None` where it is something else.
    pub(crate) fn unsigned(&mut self) -> Result<Option<u64>> {
        Ok(self.number()?.and_then(Number::unsigned))
    }

    /// True if `true` comes next; whatever it is, it is skipped.
    pub(crate) fn is_true(&mut self) -> Result<bool> {
        let is_true = self.peek_token()? == Some(b't');
        self.skip()?;
        Ok(is_true)
    }

    /// Whatever comes next, without looking at it. Takes no stack, however deep it is.
    pub(crate) fn skip(&mut self) -> Result<()> {
        let mut depth = 0_u64;
        loop {
            match self.peek_token()? {
                None => return self.fail(JsonReason::Truncated),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(b'"') => self.skip_string()?,
                Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.skip_scalar()?,
                Some(_) => return self.unexpected("a value"),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips what stands where a table belongs, and says whether there was anything in it: `null`, `{}` and
    /// `[]` are all empty tables of some writer.
    pub(crate) fn skip_in_place_of_a_table(&mut self) -> Result<bool> {
        let mut any = false;
        match self.kind()? {
            JsonKind::Object => self.object(|reader, _| {
                any = true;
                reader.skip()
            })?,
            JsonKind::Array => self.array(|reader, _| {
                any = true;
                reader.skip()
            })?,
            kind => {
                any = kind != JsonKind::Null;
                self.skip()?;
            }
        }
        Ok(any)
    }

    fn skip_scalar(&mut self) -> Result<()> {
        let word: &[u8] = match self.peek()? {
            Some(b'n') => b"null",
            Some(b't') => b"true",
            Some(b'f') => b"false",
            _ => b"",
        };
        for &byte in word {
            match self.peek()? {
                None => return self.fail(JsonReason::Truncated),
                Some(found) if found == byte => self.at += 1,
                Some(_) => return self.unexpected("null, true or false"),
            }
        }
        if word.is_empty() {
            self.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
