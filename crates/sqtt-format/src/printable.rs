//! Bytes as text that is safe to print.

use std::fmt::{self, Write};

/// Prints bytes on one line and without anything that a terminal acts on: control characters and
/// others that do not print are escaped as Rust escapes them (`\n`, `\u{1b}`), what is not UTF-8 is
/// `\xNN`.
///
/// ```
/// let name = sqtt_format::Printable(b"red \x1b[31m\xFF \"quoted\"");
/// assert_eq!(name.to_string(), "red \\u{1b}[31m\\xff \"quoted\"");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printable<'a>(pub &'a [u8]);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '"' | '\'' | '\\' => out.write_char(character)?,
                    _ => write!(out, "{}", character.escape_debug())?,
                }
            }
            for byte in chunk.invalid() {
                write!(out, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}
