//! The text of a kernel's `printf`: a format and its arguments, as words.
//!
//! A text takes as many words as it needs with its NUL. An argument takes one; integers of 32 bits lie in its low half.

use crate::raw::stdio::{Value, formatted};

/// A reader of words.
struct Words<'a>(&'a [u64]);

impl Words<'_> {
    fn word(&mut self) -> u64 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A text up to its NUL.
    fn text(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        while !self.0.is_empty() {
            let bytes = self.word().to_le_bytes();
            match bytes.iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend(&bytes[..end]);
                    break;
                }
                None => text.extend(bytes),
            }
        }
        text
    }
}

/// The text of a format with its arguments.
pub(crate) fn format(words: &[u64]) -> Vec<u8> {
    let mut words = Words(words);
    let pattern = words.text();
    let (mut out, mut rest) = (Vec::new(), &pattern[..]);
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        out.extend(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = rest.iter().skip(1).position(|byte| b"diouxXfFeEgGaAcspn%".contains(byte)) else {
            break;
        };
        let (specification, after) = rest.split_at(length + 2);
        rest = after;
        one(specification, &mut words, &mut out);
    }
    out.extend(rest);
    out
}

/// One conversion, such as `%-8.3lf`.
fn one(specification: &[u8], words: &mut Words<'_>, out: &mut Vec<u8>) {
    let Some((&kind, flags)) = specification.split_last() else { return };
    if kind == b'%' {
        out.push(b'%');
        return;
    }
    // Widths and precisions that are arguments go into the text; the length of an integer is that of the word.
    let mut own = Vec::new();
    for &byte in flags {
        match byte {
            b'*' => own.extend((words.word() as i32).to_string().bytes()),
            b'l' | b'h' | b'j' | b'z' | b't' | b'L' | b'q' => {}
            other => own.push(other),
        }
    }
    let count = |letter| flags.iter().filter(|&&byte| byte == letter).count();
    let is_long = count(b'l') > 0 || [b'j', b'z', b't', b'q'].iter().any(|&letter| count(letter) > 0);
    let value = match kind {
        b's' => Value::Text(words.text()),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Value::Float(f64::from_bits(words.word())),
        b'n' => {
            words.word();
            return;
        }
        b'p' => Value::Pointer(words.word() as usize),
        b'c' => Value::Integer(i64::from(words.word() as u8)),
        _ => {
            let word = words.word();
            let is_signed = matches!(kind, b'd' | b'i');
            Value::Integer(match (is_long, count(b'h'), is_signed) {
                (true, ..) => word.cast_signed(),
                (_, 0, true) => i64::from(word as i32),
                (_, 0, false) => i64::from(word as u32),
                (_, 1, true) => i64::from(word as i16),
                (_, 1, false) => i64::from(word as u16),
                (_, _, true) => i64::from(word as i8),
                (_, _, false) => i64::from(word as u8),
            })
        }
    };
    if matches!(value, Value::Integer(_)) && kind != b'c' {
        own.extend(b"ll");
    }
    own.push(kind);
    out.extend(formatted(&own, &value));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(texts: &[&[u8]]) -> Vec<u64> {
        let mut out = Vec::new();
        for text in texts {
            let mut bytes = text.to_vec();
            bytes.push(0);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            out.extend(bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())));
        }
        out
    }

    #[test]
    fn conversions_are_those_of_c() {
        let cases: &[(&[u8], &[u64], &str)] = &[
            (b"no arguments 100%%\n", &[], "no arguments 100%\n"),
            (b"%d %u %x", &[0xffff_ffff, 0xffff_ffff, 0x1_0000_00ff], "-1 4294967295 ff"),
            (b"%ld %lu %zu %llx", &[u64::MAX, u64::MAX, 7, 1 << 40], "-1 18446744073709551615 7 10000000000"),
            (b"%5d|%-5d|%05d|%+d", &[7, 7, 7, 7], "    7|7    |00007|+7"),
            (b"%*d|%.*f", &[4, 7, 2, 1.5f64.to_bits()], "   7|1.50"),
            (b"%f %.3e %g %a", &[1.5f64.to_bits(); 4], "1.500000 1.500e+00 1.5 0x1.8p+0"),
            (b"%c%c %hhd %hu", &[65, 66, 0xff, 0x1_ffff], "AB -1 65535"),
            (b"%p", &[0x1234], "0x1234"),
            (b"lonely %", &[], "lonely %"),
        ];
        for (pattern, arguments, expected) in cases {
            let mut all = words(&[pattern]);
            all.extend(*arguments);
            assert_eq!(String::from_utf8_lossy(&format(&all)), *expected);
        }
    }

    #[test]
    fn texts_take_the_words_that_they_need() {
        let mut all = words(&[b"%s is %8s, %.2s %d", b"a longer text", b"x", b"short"]);
        all.push(3);
        assert_eq!(format(&all), b"a longer text is        x, sh 3");
        assert_eq!(format(&words(&[b"%s%d"])), b"0");
    }
}
