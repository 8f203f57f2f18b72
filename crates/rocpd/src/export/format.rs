//! The bytes of a field, as the existing writer (Python's `csv`, minimal quoting, CRLF) gives them, but for texts
//! that a spreadsheet would run.

use std::io::Write as _;

use rusqlite::types::ValueRef;
use sqtt_format::push_csv_field;

/// The end of a line.
pub(crate) const LINE_END: &[u8] = b"\r\n";

/// Appends a floating-point number as Python's `repr` spells it: the shortest digits that read back as the
/// same number, with an exponent below 1e-4 and from 1e16 on.
pub(crate) fn push_float(out: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        return out.extend_from_slice(b"nan");
    }
    if value.is_infinite() {
        return out.extend_from_slice(if value > 0.0 { b"inf" } else { b"-inf" });
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        // Rust's exponent has neither sign nor padding: 1e16 and 1.5e-7 become 1e+16 and 1.5e-07.
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        let _ = write!(out, "{digits}e{sign}{exponent:0>2}");
    } else {
        let _ = write!(out, "{value:?}");
    }
}

/// Appends a cell: NULL is the empty field. Blobs, which no column of these has, are an error.
pub(crate) fn push_value(out: &mut Vec<u8>, value: ValueRef<'_>) -> Result<(), &'static str> {
    match value {
        ValueRef::Null => {}
        ValueRef::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        ValueRef::Real(number) => push_float(out, number),
        ValueRef::Text(text) => push_csv_field(out, text),
        ValueRef::Blob(_) => return Err("a blob where a number or text was expected"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_spelled_like_python() {
        // What `repr` of Python 3 prints.
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (80_399_307.0, "80399307.0"),
            (1e16, "1e+16"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.234e-7, "1.234e-07"),
            (-123_456_789_012_345_680_000.0, "-1.2345678901234568e+20"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ] {
            let mut out = Vec::new();
            push_float(&mut out, value);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }
}
