//! Names as they are shown.

use std::borrow::Cow;

use sqtt_decoder::names::{Kernel, demangle, unknown_name};
use sqtt_decoder::stats::{RowKind, ScopeKey};
use sqtt_decoder::stream::Wave;
use sqtt_format::{Entry, EntryKind, Name, Printable};

/// Style of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameStyle {
    /// C++ names of functions and kernels.
    pub demangle: bool,
    /// Template arguments as `<…>`.
    pub short: bool,
}

/// Follows the name of a function of which no code of its own is left.
const INLINED: &str = "(inlined)";

/// Name of a wave of no known kernel.
pub(crate) const NO_KERNEL: &str = "(no known kernel)";

impl NameStyle {
    /// The name of one of a wave's markers: one line of text without control characters. A function of which no code
    /// of its own is left is marked.
    pub(crate) fn marker(self, wave: &Wave<'_>, entry: Option<&Entry>, id: u32) -> String {
        let is_inlined = wave.map().is_some_and(|map| map.is_inlined(id));
        marked(self.entry(entry, id), is_inlined)
    }

    fn entry(self, entry: Option<&Entry>, id: u32) -> String {
        match entry.filter(|entry| !entry.name().is_empty()) {
            Some(entry) => self.name(entry.name(), entry.kind() == EntryKind::Function),
            None => unknown_name(id),
        }
    }

    /// The bytes of the name that a compiler gave a function or kernel.
    pub(crate) fn symbol(self, name: &[u8]) -> Cow<'_, [u8]> {
        match self.demangle.then(|| demangle(name)).flatten() {
            Some(text) => Cow::Owned(text.into_bytes()),
            None => Cow::Borrowed(name),
        }
    }

    /// The bytes of an entry's name. Markers that a user named are left alone, whatever their names look like.
    pub(crate) fn bytes_of(self, entry: &Entry) -> Cow<'_, [u8]> {
        match entry.kind() {
            EntryKind::Function | EntryKind::Kernel => self.symbol(entry.name()),
            _ => Cow::Borrowed(entry.name()),
        }
    }

    /// The name of a row of statistics.
    pub(crate) fn scope(self, key: &ScopeKey) -> Name {
        let name = key.display_name();
        if key.kind == RowKind::Function { Name::from(self.symbol(&name)) } else { name }
    }

    /// The bytes of a marker's name.
    pub(crate) fn marker_bytes(self, entry: Option<&Entry>, id: u32) -> Cow<'_, [u8]> {
        match entry.filter(|entry| !entry.name().is_empty()) {
            Some(entry) => self.bytes_of(entry),
            None => unknown_name(id).into_bytes().into(),
        }
    }

    /// The bytes of the name of a wave's kernel; `None` if it is not known.
    pub(crate) fn kernel_bytes<'a>(self, wave: &Wave<'a>) -> Option<Cow<'a, [u8]>> {
        wave.kernel.map(|kernel| self.symbol(kernel.name.as_bytes()))
    }

    /// A kernel's name.
    pub(crate) fn kernel(self, kernel: Option<&Kernel>) -> String {
        match kernel {
            Some(kernel) if !kernel.name.as_bytes().is_empty() => self.name(kernel.name.as_bytes(), true),
            _ => NO_KERNEL.to_owned(),
        }
    }

    /// Any name; only the compiler's are demangled and shortened.
    pub(crate) fn name(self, name: &[u8], is_compilers: bool) -> String {
        let name = if is_compilers { self.symbol(name) } else { Cow::Borrowed(name) };
        let text = Printable(&name).to_string();
        if self.short && is_compilers { shortened(&text) } else { text }
    }
}

/// The name of a function, marked where no code of its own is left.
pub(crate) fn marked(name: String, is_inlined: bool) -> String {
    if is_inlined { format!("{name} {INLINED}") } else { name }
}

/// A name, where it is in the source, and whether no code of its own is left: one line of text.
pub(crate) fn located(name: &[u8], source_loc: Option<&[u8]>, is_inlined: bool) -> String {
    let mut line = Printable(name).to_string();
    if let Some(location) = source_loc {
        line += &format!("  @ {}", Printable(location));
    }
    if is_inlined { format!("{line}  {INLINED}") } else { line }
}

/// A C++ name without its template arguments: `f<…>(int)`. Angle brackets of operators stay, and a name
/// whose brackets do not match is left alone.
fn shortened(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut depth = 0_u32;
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let operator = ["operator<=>", "operator<<", "operator>>", "operator->", "operator<", "operator>"];
        let length = match operator.iter().find(|operator| rest.starts_with(**operator)) {
            Some(operator) => operator.len(),
            None if rest.starts_with("->") => 2,
            None => character.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        match token {
            "<" => {
                if depth == 0 {
                    short.push_str("<…>");
                }
                depth += 1;
            }
            ">" if depth == 0 => return name.to_owned(),
            ">" => depth -= 1,
            _ if depth == 0 => short.push_str(token),
            _ => {}
        }
    }
    if depth == 0 { short } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_arguments_are_left_out() {
        for (name, short) in [
            ("void ck::gemm<float, ck::Tuple<int, 4>>(float*)", "void ck::gemm<…>(float*)"),
            ("a<b>::c<d>", "a<…>::c<…>"),
            ("S::operator<(S const&)", "S::operator<(S const&)"),
            ("S::operator<<<int>(S)", "S::operator<<<…>(S)"),
            ("operator->", "operator->"),
            ("f<decltype(a->b)>(int)", "f<…>(int)"),
            ("a < b", "a < b"),
            ("a > b", "a > b"),
            ("plain", "plain"),
        ] {
            assert_eq!(shortened(name), short);
        }
    }

    #[test]
    fn names_are_one_line() {
        let entry = sqtt_format::Funcmap::parse(b"U:1:a\\nb\nF:2:_Z1fv\nU:3:_Z1fv\n").map;
        let style = NameStyle { demangle: true, short: true };
        let name = |id| style.entry(entry.find(id), id);
        assert!(!name(1).contains('\n'));
        assert_eq!((name(2).as_str(), name(3).as_str(), name(9).as_str()), ("f()", "_Z1fv", "event#9"));
        assert_eq!(style.kernel(None), NO_KERNEL);
    }
}
