//! Kernel arguments as text: `u32:5`, `f32:1.5`, `buf:u32:256`, `buf:u32:iota:256`, `buf:u32:@in.bin`.

use std::str::FromStr;

use crate::error::SimError;
use crate::launch::Arg;

/// Buffers larger than this are refused.
const MAX_BUFFER: usize = 1 << 32;

/// Reads one argument.
///
/// * `TYPE:VALUE`: a value; types are `u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64`, integers also in hexadecimal
/// * `buf:TYPE:COUNT`: a buffer of zeros
/// * `buf:TYPE:iota:COUNT`: a buffer of 0, 1, 2, …
/// * `buf:TYPE:@FILE`: a buffer with the bytes of a file
/// * `null`: a null pointer
/// * `bytes:HEX`: the bytes of a by-value structure
///
/// # Errors
/// [`SimError::Argument`] that says what is wrong and what would be right.
pub fn parse_arg(text: &str) -> Result<Arg, SimError> {
    parse(text).map_err(|reason| SimError::Argument { text: text.to_owned(), reason })
}

fn parse(text: &str) -> Result<Arg, String> {
    if text == "null" {
        return Ok(Arg::Null);
    }
    let (head, rest) = text.split_once(':').ok_or("TYPE:VALUE, buf:TYPE:… , bytes:HEX or null expected")?;
    match head {
        "buf" => buffer(rest),
        "bytes" => bytes(rest).map(Arg::Value),
        kind => encode(kind, rest).map(Arg::Value),
    }
}

fn buffer(text: &str) -> Result<Arg, String> {
    let (kind, rest) =
        text.split_once(':').ok_or("buf:TYPE:COUNT, buf:TYPE:iota:COUNT or buf:TYPE:@FILE expected")?;
    let width = encode(kind, "0")?.len();
    let count = |text: &str| -> Result<usize, String> {
        let n: usize = text.parse().map_err(|_| format!("`{text}` is not a number of elements"))?;
        n.checked_mul(width).filter(|&b| b <= MAX_BUFFER).ok_or(format!("{n} elements are too many"))?;
        Ok(n)
    };
    if let Some(path) = rest.strip_prefix('@') {
        let content = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        if !content.len().is_multiple_of(width) {
            return Err(format!("{path} has {} bytes, not a multiple of {width}", content.len()));
        }
        return Ok(Arg::Buffer(content));
    }
    if let Some(n) = rest.strip_prefix("iota:") {
        let mut content = Vec::new();
        for k in 0..count(n)? {
            content.extend(element(kind, k as u64)?);
        }
        return Ok(Arg::Buffer(content));
    }
    Ok(Arg::Buffer(vec![0; count(rest)? * width]))
}

/// The `k`-th element of an iota; integers wrap.
fn element(kind: &str, k: u64) -> Result<Vec<u8>, String> {
    Ok(match kind {
        "u8" | "i8" => vec![k as u8],
        "u16" | "i16" => (k as u16).to_le_bytes().to_vec(),
        "u32" | "i32" => (k as u32).to_le_bytes().to_vec(),
        "u64" | "i64" => k.to_le_bytes().to_vec(),
        _ => encode(kind, &k.to_string())?,
    })
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits = hex.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err("an even number of hexadecimal digits expected".to_owned());
    }
    let nibble = |b: u8| (b as char).to_digit(16).unwrap_or(0) as u8;
    Ok(digits.chunks(2).map(|c| nibble(c[0]) << 4 | nibble(c[1])).collect())
}

fn encode(kind: &str, value: &str) -> Result<Vec<u8>, String> {
    fn unsigned<T: TryFrom<u64>>(value: &str) -> Result<T, String> {
        let parsed = match value.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => value.parse().ok(),
        };
        parsed.and_then(|v| T::try_from(v).ok()).ok_or(format!("`{value}` does not fit the type"))
    }
    fn other<T: FromStr>(value: &str) -> Result<T, String> {
        value.parse().map_err(|_| format!("`{value}` does not fit the type"))
    }
    Ok(match kind {
        "u8" => unsigned::<u8>(value)?.to_le_bytes().to_vec(),
        "u16" => unsigned::<u16>(value)?.to_le_bytes().to_vec(),
        "u32" => unsigned::<u32>(value)?.to_le_bytes().to_vec(),
        "u64" => unsigned::<u64>(value)?.to_le_bytes().to_vec(),
        "i8" => other::<i8>(value)?.to_le_bytes().to_vec(),
        "i16" => other::<i16>(value)?.to_le_bytes().to_vec(),
        "i32" => other::<i32>(value)?.to_le_bytes().to_vec(),
        "i64" => other::<i64>(value)?.to_le_bytes().to_vec(),
        "f16" => (crate::fp::to16(other(value)?, false) as u16).to_le_bytes().to_vec(),
        "f32" => other::<f32>(value)?.to_le_bytes().to_vec(),
        "f64" => other::<f64>(value)?.to_le_bytes().to_vec(),
        _ => return Err(format!("type `{kind}`; u8 to u64, i8 to i64, f16, f32, f64 are possible")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_buffers() {
        assert_eq!(parse_arg("u32:0x10").unwrap(), Arg::u32(16));
        assert_eq!(parse_arg("f32:1.5").unwrap(), Arg::f32(1.5));
        assert_eq!(parse_arg("i8:-1").unwrap(), Arg::Value(vec![0xff]));
        assert_eq!(parse_arg("f16:1").unwrap(), Arg::Value(vec![0, 0x3c]));
        assert_eq!(parse_arg("buf:u16:2").unwrap(), Arg::Buffer(vec![0; 4]));
        assert_eq!(parse_arg("buf:u32:iota:3").unwrap(), Arg::words(&[0, 1, 2]));
        assert_eq!(parse_arg("bytes:00ff").unwrap(), Arg::Value(vec![0, 255]));
        assert_eq!(parse_arg("null").unwrap(), Arg::Null);
    }

    #[test]
    fn bad_arguments_say_what_is_right() {
        for bad in [
            "",
            "5",
            "u32:-1",
            "u8:256",
            "q:1",
            "buf:u32",
            "buf:u32:x",
            "buf:u32:@/nonexistent",
            "bytes:0",
            "buf:u32:iota:",
            "buf:u64:99999999999999",
        ] {
            let error = parse_arg(bad).unwrap_err().to_string();
            assert!(error.starts_with(&format!("argument `{bad}`: ")), "{error}");
        }
    }
}
