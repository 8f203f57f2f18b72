//! Strings of JSON, as bytes.

use std::io::Read;

use super::{JsonReader, JsonReason, Result, STRING_LIMIT};

impl<R: Read> JsonReader<R> {
    /// A string without its escapes. Bytes that are not UTF-8 stay as they are; a surrogate without
    /// its other half becomes U+FFFD.
    pub(crate) fn string(&mut self) -> Result<Vec<u8>> {
        self.expect(b'"', "a string")?;
        let mut text = Vec::new();
        loop {
            let Some(byte) = self.peek()? else { return self.fail(JsonReason::Truncated) };
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(text);
                }
                b'\\' => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                _ => {
                    let rest = &self.buffer[self.at..self.end];
                    let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    text.extend_from_slice(&rest[..plain]);
                    self.at += plain;
                }
            }
            if text.len() > STRING_LIMIT {
                return self.fail(JsonReason::LongString);
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let Some(byte) = self.peek()? else { return self.fail(JsonReason::Truncated) };
        let plain = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 0x08,
            b'f' => 0x0C,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                return self.unicode(text);
            }
            _ => return self.unexpected("an escape sequence"),
        };
        self.at += 1;
        text.push(plain);
        Ok(())
    }

    /// The digits after `\u`, and the second half of a surrogate pair where one follows.
    fn unicode(&mut self, text: &mut Vec<u8>) -> Result<()> {
        let mut unit = self.hex4()?;
        loop {
            if !(0xD800..0xDC00).contains(&unit) {
                push(text, unit);
                return Ok(());
            }
            // A high half. Without a low one after it, what comes next is read on its own.
            if self.peek()? != Some(b'\\') {
                push(text, unit);
                return Ok(());
            }
            self.at += 1;
            if self.peek()? != Some(b'u') {
                push(text, unit);
                return self.escape(text);
            }
            self.at += 1;
            let next = self.hex4()?;
            if (0xDC00..0xE000).contains(&next) {
                push(text, 0x1_0000 + ((unit - 0xD800) << 10) + (next - 0xDC00));
                return Ok(());
            }
            push(text, unit);
            unit = next;
        }
    }

    fn hex4(&mut self) -> Result<u32> {
        let mut value = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek()? else { return self.fail(JsonReason::Truncated) };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return self.unexpected("four hexadecimal digits");
            };
            value = value << 4 | digit;
            self.at += 1;
        }
        Ok(value)
    }

    pub(super) fn skip_string(&mut self) -> Result<()> {
        self.expect(b'"', "a string")?;
        loop {
            let rest = &self.buffer[self.at..self.end];
            let Some(plain) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.end;
                if !self.refill()? {
                    return self.fail(JsonReason::Truncated);
                }
                continue;
            };
            self.at += plain + 1;
            if rest[plain] == b'"' {
                return Ok(());
            }
            if self.peek()?.is_none() {
                return self.fail(JsonReason::Truncated);
            }
            self.at += 1;
        }
    }
}

fn push(text: &mut Vec<u8>, code: u32) {
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}
