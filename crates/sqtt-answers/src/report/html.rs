//! The page around the data.

use std::io::{self, Write};

use serde::Serialize;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const TIMELINE: &str = include_str!("timeline.js");

/// Writes the page. Nothing of the trace is in it but as JSON, and its title as text.
pub(super) fn write(out: &mut dyn Write, title: &str, data: &impl Serialize) -> io::Result<()> {
    let mut rest = PAGE;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((place, after)) = behind.split_once("}}") else { break };
        out.write_all(before.as_bytes())?;
        match place {
            "title" => out.write_all(as_text(title).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "data" => serde_json::to_writer(Inert(&mut *out), data)?,
            "timeline" => out.write_all(TIMELINE.as_bytes())?,
            _ => out.write_all(SCRIPT.as_bytes())?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

fn as_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// JSON without a character that ends a script element or begins a comment: in JSON they are in strings
/// only, where they can be escaped.
struct Inert<'a>(&'a mut dyn Write);

impl Write for Inert<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| matches!(byte, b'<' | b'>' | b'&')) {
            self.0.write_all(&rest[..at])?;
            write!(self.0, "\\u{:04x}", rest[at])?;
            rest = &rest[at + 1..];
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_data_is_markup() {
        let mut out = Vec::new();
        let data = serde_json::json!({"name": "</script><!--<script>&amp;"});
        write(&mut out, "<b>&", &data).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains(r#"{"name":"\u003c/script\u003e\u003c!--\u003cscript\u003e\u0026amp;"}"#),
            "{text}"
        );
        assert!(text.contains("<title>&lt;b&gt;&amp;</title>"));
        assert!(!text.contains("{{") && text.ends_with("</html>\n"));
    }
}
