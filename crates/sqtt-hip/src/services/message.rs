//! Messages: several packets of a lane that belong together.
//!
//! The first word of each packet describes it: bit 0 begins a message, bit 1 ends it, bits 5 to 7 count the words that
//! follow, and from bit 8 on there is the message's number, which the host gives.

use std::collections::HashMap;

use super::printf;

/// Messages that have begun.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    open: HashMap<u64, Vec<u64>>,
    next: u64,
    /// One of them said that an assertion failed.
    pub(crate) has_failed: bool,
}

impl Messages {
    /// Takes a packet, and gives the word that answers it; none to a packet of no message.
    pub(crate) fn take(&mut self, words: &[u64]) -> Option<u64> {
        let (&description, rest) = words.split_first()?;
        let (is_first, is_last) = (description & 1 != 0, description & 2 != 0);
        let number = if is_first { self.next } else { description >> 8 };
        if is_first {
            self.next += 1;
            self.open.insert(number, Vec::new());
        }
        let length = (description >> 5 & 7) as usize;
        self.open.get_mut(&number)?.extend(rest.get(..length)?);
        if !is_last {
            return Some(number << 8 | description & 0xfe);
        }
        let message = self.open.remove(&number)?;
        Some(self.print(&message))
    }

    /// Prints a message: a word of flags, the format, the arguments. Gives the number of bytes.
    fn print(&mut self, message: &[u64]) -> u64 {
        let Some((&flags, rest)) = message.split_first() else { return 0 };
        let text = printf::format(rest);
        let to_stderr = flags & 1 != 0;
        self.has_failed |= to_stderr && text.windows(9).any(|part| part == b"assertion");
        crate::raw::stdio::print(&text, to_stderr);
        text.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_of_a_message_come_together() {
        let mut messages = Messages::default();
        let text = u64::from_le_bytes(*b"a%d\0\0\0\0\0");
        let first = messages.take(&[1 | 1 << 5, 0, 9, 9, 9, 9, 9, 9]).unwrap();
        assert_eq!(first, 1 << 5);
        let second = messages.take(&[first & !0xe0 | 1 << 5, text, 0, 0, 0, 0, 0, 0]).unwrap();
        assert_eq!(messages.open[&0], [0, text]);
        // "a7" has two bytes.
        assert_eq!(messages.take(&[second & !0xe0 | 1 << 5 | 2, 7, 0, 0, 0, 0, 0, 0]), Some(2));
        assert!(messages.open.is_empty());
        assert_eq!(messages.take(&[0x700, 0, 0, 0, 0, 0, 0, 0]), None);
    }
}
