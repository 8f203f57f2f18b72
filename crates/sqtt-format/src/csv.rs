//! Text as a field of CSV.

/// Appends a text as a field of CSV (RFC 4180): in quotes where it holds a comma, a quote or a line end.
///
/// Spreadsheets take a field that begins with `=`, `+`, `-` or `@`, with one of their full-width forms, or with a tab
/// or a line end before them, for a formula, and run it when the file is opened. Such a text gets an apostrophe in
/// front, which says that text follows (OWASP, "CSV Injection"). Numbers are no text, and need no such care.
///
/// ```
/// let mut line = Vec::new();
/// sqtt_format::push_csv_field(&mut line, b"f(int, int)");
/// line.push(b',');
/// sqtt_format::push_csv_field(&mut line, b"=1+1");
/// assert_eq!(line, b"\"f(int, int)\",'=1+1");
/// ```
pub fn push_csv_field(out: &mut Vec<u8>, text: &[u8]) {
    const FORMULAS: [&[u8]; 11] = [
        b"=",
        b"+",
        b"-",
        b"@",
        b"\t",
        b"\r",
        b"\n",
        "\u{FF1D}".as_bytes(),
        "\u{FF0B}".as_bytes(),
        "\u{FF0D}".as_bytes(),
        "\u{FF20}".as_bytes(),
    ];
    let needs_quotes = text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n'));
    if needs_quotes {
        out.push(b'"');
    }
    if FORMULAS.iter().any(|start| text.starts_with(start)) {
        out.push(b'\'');
    }
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    if needs_quotes {
        out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::push_csv_field;

    #[test]
    fn fields_are_text_for_every_reader() {
        for (text, field) in [
            ("", ""),
            ("a b", "a b"),
            ("a'b;c", "a'b;c"),
            ("f(int, int)", "\"f(int, int)\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("a=b", "a=b"),
            ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
            ("+1", "'+1"),
            ("-x", "'-x"),
            ("@SUM(A1,A2)", "\"'@SUM(A1,A2)\""),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("\n=1", "\"'\n=1\""),
            ("\u{FF1D}1", "'\u{FF1D}1"),
        ] {
            let mut out = Vec::new();
            push_csv_field(&mut out, text.as_bytes());
            assert_eq!(String::from_utf8(out).unwrap(), field, "{text:?}");
        }
    }
}
