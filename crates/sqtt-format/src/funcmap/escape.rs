//! Names and locations that keep to their row.
//!
//! Existing readers unescape nothing, so what can be written raw is. The rest is written as `%:` and
//! the bytes, those that cannot stand there and `%` as `%XX`. Only a field that starts with `%:` is
//! unescaped, so the maps of other compilers read as they are.
//!
//! Bytes that cannot stand in a field:
//! - what ends a row for one of the existing readers: newline and NUL for the C++ one, and besides
//!   these what Python's `splitlines` takes for a line end (carriage return, `0B`, `0C`, `1C` to `1E`,
//!   U+0085, U+2028, U+2029);
//! - `@` in a name, where it starts the location. A location may hold it: the first one splits;
//! - a blank at the end, which readers trim;
//! - nothing at all: a row without a name is malformed, so the empty name is written `%:`.

/// The start of an escaped field.
const MARK: &[u8] = b"%:";

/// The two fields differ in what `@` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Name,
    Location,
}

/// The number of bytes at the head of `rest` that cannot stand anywhere in the field; 0 where they can.
fn reserved(rest: &[u8], field: Field) -> usize {
    match *rest {
        [b'\n' | b'\r' | 0 | 0x0B | 0x0C | 0x1C..=0x1E, ..] => 1,
        [b'@', ..] if field == Field::Name => 1,
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

/// The start of the blanks that readers would trim.
fn text_end(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1)
}

fn can_be_raw(bytes: &[u8], field: Field) -> bool {
    !bytes.is_empty()
        && !bytes.starts_with(MARK)
        && text_end(bytes) == bytes.len()
        && (0..bytes.len()).all(|at| reserved(&bytes[at..], field) == 0)
}

/// Appends the field as it stands in its row.
pub(super) fn write(out: &mut Vec<u8>, bytes: &[u8], field: Field) {
    if can_be_raw(bytes, field) {
        out.extend_from_slice(bytes);
        return;
    }
    out.extend_from_slice(MARK);
    let text_end = text_end(bytes);
    let mut at = 0;
    while at < bytes.len() {
        let escaped = if bytes[at] == b'%' || at >= text_end { 1 } else { reserved(&bytes[at..], field) };
        if escaped == 0 {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        for byte in &bytes[at..at + escaped] {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
        at += escaped;
    }
}

/// The field's bytes. One that starts with `%:` but holds a `%` without two hexadecimal digits was
/// not written here and is taken as it stands.
pub(super) fn read(raw: &[u8]) -> Vec<u8> {
    raw.strip_prefix(MARK).and_then(unescape).unwrap_or_else(|| raw.to_vec())
}

fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        match *rest {
            [] => return Some(out),
            [b'%', high, low, ref tail @ ..] => {
                out.push(hex_digit(high)? << 4 | hex_digit(low)?);
                rest = tail;
            }
            [b'%', ..] => return None,
            [byte, ref tail @ ..] => {
                out.push(byte);
                rest = tail;
            }
        }
    }
}

fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8], field: Field) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, bytes, field);
        out
    }

    #[test]
    fn what_can_be_raw_is_raw() {
        for name in ["load[0]", "a:b;c \"d\" %41 50%", " leading", "tab\tinside", "ünï\u{7f}", "%", "x%:"] {
            assert_eq!(written(name.as_bytes(), Field::Name), name.as_bytes());
        }
        assert_eq!(written(b"\xFF\xFE\x01", Field::Name), b"\xFF\xFE\x01");
        assert_eq!(written(b"/home/a@b/x.hip:3", Field::Location), b"/home/a@b/x.hip:3");
    }

    #[test]
    fn what_would_end_or_split_a_row_is_escaped() {
        for (name, row) in [
            ("a\nU:9:forged", "%:a%0AU:9:forged"),
            ("a\r", "%:a%0D"),
            ("a\0b", "%:a%00b"),
            ("mail@host 5%", "%:mail%40host 5%25"),
            ("%:x", "%:%25:x"),
            ("", "%:"),
            ("end \t", "%:end%20%09"),
            ("  ", "%:%20%20"),
            ("v\u{b}f\u{c}n\u{85}l\u{2028}p\u{2029}", "%:v%0Bf%0Cn%C2%85l%E2%80%A8p%E2%80%A9"),
        ] {
            assert_eq!(written(name.as_bytes(), Field::Name), row.as_bytes(), "{name:?}");
            assert_eq!(read(row.as_bytes()), name.as_bytes(), "{row:?}");
        }
    }

    #[test]
    fn other_compilers_names_are_left_alone() {
        for raw in ["%41", "100%", "%:%4", "%:50%", "%:%zz", "%:%+1"] {
            assert_eq!(read(raw.as_bytes()), raw.as_bytes());
        }
        assert_eq!(read(b"%:%4a%4A"), b"JJ");
    }

    #[test]
    fn long_runs_of_blanks_take_linear_time() {
        let mut name = vec![b' '; 1 << 20];
        assert_eq!(written(&name, Field::Name).len(), 2 + (3 << 20));
        name.push(b'@');
        assert_eq!(written(&name, Field::Name).len(), 2 + (1 << 20) + 3);
        name.pop();
        name.push(b'x');
        assert_eq!(written(&name, Field::Name), name);
    }
}
