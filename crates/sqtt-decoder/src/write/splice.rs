//! Changes members of a JSON file's outer object and leaves every other byte as it is.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Style, to_json};
use crate::json::{JsonError, JsonKind, JsonReader, JsonReason};
use crate::trace::source::{self, Source};
#[cfg(feature = "compressed")]
use crate::trace::store::Opened;
use crate::trace::store::Store;

/// A member and its new value.
pub(super) struct Member<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a serde_json::Value,
    /// True if it is added where there is no old one in whose place it goes.
    pub(super) is_added: bool,
}

/// Places in the file.
#[derive(Default)]
struct Places {
    /// Index of the member, first byte of the old value, byte behind it.
    old: Vec<(usize, u64, u64)>,
    /// Place where a member can be added, and whether others are before it.
    end: u64,
    has_members: bool,
}

/// Writes `from` to `to` with the new values. `Ok(false)` where `from` is no whole JSON object; then
/// nothing was written.
pub(super) fn splice(from: &Path, to: &Path, style: Style, members: &[Member<'_>]) -> io::Result<bool> {
    let mut source = match source::open(Store::Disk, from, None)? {
        Source::Plain(file) => file.into_file(),
        #[cfg(feature = "compressed")]
        Source::Gzip(mut packed) => {
            let mut plain = tempfile::tempfile()?;
            match io::copy(&mut packed, &mut plain) {
                // As one that is cut off.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {}
                result => {
                    result?;
                }
            }
            plain.rewind()?;
            Opened::File(plain)
        }
    };
    let places = match find(&mut source, members) {
        Ok(places) => places,
        Err(JsonError { reason: JsonReason::Io(error), .. }) => return Err(error),
        Err(_) => return Ok(false),
    };
    source.rewind()?;
    let mut out = BufWriter::with_capacity(1 << 18, File::create_new(to)?);
    let mut at = 0;
    for &(index, begin, end) in &places.old {
        io::copy(&mut source.by_ref().take(begin - at), &mut out)?;
        if let Some(member) = members.get(index) {
            write_value(&mut out, style, member.value)?;
        }
        source.seek(SeekFrom::Start(end))?;
        at = end;
    }
    io::copy(&mut source.by_ref().take(places.end - at), &mut out)?;
    let mut comma = places.has_members;
    for (index, Member { key, value, is_added }) in members.iter().enumerate() {
        if !is_added || places.old.iter().any(|(old, ..)| *old == index) {
            continue;
        }
        out.write_all(if comma { b"," } else { b"" })?;
        out.write_all(if style.is_wide() { b"\n  " } else { b"" })?;
        serde_json::to_writer(&mut out, key)?;
        out.write_all(if style.is_wide() { b": " } else { b":" })?;
        write_value(&mut out, style, value)?;
        comma = true;
    }
    io::copy(&mut source, &mut out)?;
    out.flush()?;
    Ok(true)
}

/// A member's value, indented as one of the outer object's.
fn write_value(out: &mut impl Write, style: Style, value: &serde_json::Value) -> io::Result<()> {
    let mut text = Vec::new();
    to_json(&mut text, style, value)?;
    // Line ends in strings are escaped: these are those of the layout.
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        out.write_all(if index > 0 { b"\n  " } else { b"" })?;
        out.write_all(line)?;
    }
    Ok(())
}

fn find(source: impl Read, members: &[Member<'_>]) -> Result<Places, JsonError> {
    let mut places = Places::default();
    let mut reader = JsonReader::new(source);
    if reader.kind()? != JsonKind::Object {
        return reader.fail(JsonReason::Truncated);
    }
    places.end = reader.offset() + 1;
    reader.document(|reader, key| {
        reader.kind()?;
        let begin = reader.offset();
        reader.skip()?;
        (places.end, places.has_members) = (reader.offset(), true);
        if let Some(index) = members.iter().position(|member| member.key.as_bytes() == key) {
            places.old.push((index, begin, places.end));
        }
        Ok(())
    })?;
    Ok(places)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn spliced(text: &str, style: Style) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&from, text).unwrap();
        let (rows, none) = (json!([[1, "x\"y"]]), json!([]));
        let members = [
            Member { key: "new", value: &rows, is_added: true },
            Member { key: "none", value: &none, is_added: false },
        ];
        let done = splice(&from, &to, style, &members).unwrap();
        assert_eq!(done, to.exists());
        done.then(|| std::fs::read_to_string(to).unwrap())
    }

    #[test]
    fn other_bytes_stay_as_they_are() {
        let compact = |text| spliced(text, Style::Rocprofv3);
        for (text, expected) in [
            ("{}", r#"{"new":[[1,"x\"y"]]}"#),
            (" { \n} ", " {\"new\":[[1,\"x\\\"y\"]] \n} "),
            (r#"{"code": [1e5, {"new": 3}]}"#, r#"{"code": [1e5, {"new": 3}],"new":[[1,"x\"y"]]}"#),
            (r#"{"new" : null , "z": 1}"#, r#"{"new" : [[1,"x\"y"]] , "z": 1}"#),
            (r#"{"none":[7],"n\u0065w":1,"a":"}"}"#, r#"{"none":[],"n\u0065w":[[1,"x\"y"]],"a":"}"}"#),
        ] {
            assert_eq!(compact(text).as_deref(), Some(expected), "{text}");
            assert!(serde_json::from_str::<serde_json::Value>(expected).is_ok());
        }
        for text in ["", "[]", "null", "{\"a\":", "{\"a\":1} x", "{\"a\" 1}"] {
            assert_eq!(compact(text), None, "{text}");
        }
        let wide = spliced("{\n  \"a\": 1\n}\n", Style::AttTool).unwrap();
        assert!(wide.starts_with("{\n  \"a\": 1,\n  \"new\": ["), "{wide}");
        assert!(serde_json::from_str::<serde_json::Value>(&wide).is_ok());
    }

    #[test]
    fn files_longer_than_the_buffer() {
        let text =
            format!("{{\"a\":\"{}\",\"new\":[{}1],\"b\":2}}", "x".repeat(700_000), "1,".repeat(300_000));
        let expected = format!("{{\"a\":\"{}\",\"new\":[[1,\"x\\\"y\"]],\"b\":2}}", "x".repeat(700_000));
        assert!(spliced(&text, Style::Rocprofv3).unwrap() == expected);
    }
}
