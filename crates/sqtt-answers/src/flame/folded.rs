//! Folded stacks: a line per stack, its frames with `;` between them, a space and the weight. Of a
//! difference, two weights: what it was, and what it is.

use std::borrow::Cow;
use std::io::Write;

use super::{FlameError, Flames, Stack};

/// Writes folded stacks, as every flame graph tool reads them.
///
/// Escapes in names whatever would break the format: `;` as `\x3b`, and where a name ends with a space and a
/// number, or with a mark such as `_[k]` that tools take off, or begins like a comment, the character that
/// makes it so. Losses of the trace are the last line, a comment: `# lost: 3 unmatched exits`.
///
/// # Errors
///
/// Errors of the writer; [`FlameError::TooLarge`].
pub fn write_folded(out: &mut dyn Write, flames: &Flames) -> Result<(), FlameError> {
    let stacks = flames.stacks()?;
    let names = escaped_names(flames);
    for stack in &stacks {
        writeln!(out, "{}", line(flames, &names, stack))?;
    }
    if let Some(lost) = flames.losses.lost() {
        writeln!(out, "# {lost}")?;
    }
    Ok(())
}

/// The names of all frames, escaped.
pub(super) fn escaped_names(flames: &Flames) -> Vec<Cow<'_, str>> {
    flames.tree.frames().iter().map(|frame| escaped(&frame.name)).collect()
}

pub(super) fn line(flames: &Flames, names: &[Cow<'_, str>], stack: &Stack) -> String {
    let mut line = String::new();
    for (index, &frame) in flames.tree.path(stack.node).iter().enumerate() {
        if index > 0 {
            line.push(';');
        }
        line.push_str(&names[frame as usize]);
    }
    if flames.is_difference {
        line.push_str(&format!(" {}", stack.base));
    }
    line.push_str(&format!(" {}", stack.weight));
    line
}

fn escaped(name: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(name);
    if text.contains(';') {
        text = Cow::Owned(text.replace(';', "\\x3b"));
    }
    // Readers trim lines, and skip those that begin like this.
    if let Some(rest) = text.strip_prefix(' ') {
        text = Cow::Owned(format!("\\x20{rest}"));
    } else if let Some(rest) = text.strip_prefix('#') {
        text = Cow::Owned(format!("\\x23{rest}"));
    }
    // Behind the last spaces a weight is expected.
    let ending = text.rfind(' ').filter(|&space| {
        text[space + 1..].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'))
    });
    if let Some(space) = ending {
        text = Cow::Owned(format!("{}\\x20{}", &text[..space], &text[space + 1..]));
    }
    let marks = ["_[k]", "_[w]", "_[i]", "_[j]"];
    if marks.iter().any(|mark| text.ends_with(mark)) {
        text = Cow::Owned(format!("{}\\x5d", &text[..text.len() - 1]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_the_format_is_escaped() {
        for (name, expected) in [
            ("plain", "plain"),
            ("operator()(int) const", "operator()(int) const"),
            ("a;b", "a\\x3bb"),
            ("operator()(int) 12", "operator()(int)\\x2012"),
            ("load 1.5", "load\\x201.5"),
            ("trailing ", "trailing\\x20"),
            (" leading", "\\x20leading"),
            ("# comment", "\\x23 comment"),
            (" ", "\\x20"),
            ("a_[k]", "a_[k\\x5d"),
            ("12", "12"),
        ] {
            assert_eq!(escaped(name), expected);
        }
    }
}
