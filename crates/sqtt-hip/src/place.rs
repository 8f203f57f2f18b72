//! Places in the program: return addresses when something is called, names and lines when an error is printed.

use std::ffi::c_void;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

/// Frames that a place keeps: HIP's headers have functions of their own around allocations.
const FRAMES: usize = 4;

/// A place at which the program called this library: its innermost frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Place([usize; FRAMES]);

impl Place {
    /// The caller of the library.
    pub(crate) fn caller() -> Place {
        let own = own_code();
        let (mut frames, mut count) = ([0; FRAMES], 0);
        backtrace::trace(|frame| {
            let address = frame.ip() as usize;
            if count > 0 || !own.contains(&address) {
                frames[count] = address;
                count += 1;
            }
            count < FRAMES
        });
        Place(frames)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for address in self.0.into_iter().take_while(|&address| address != 0) {
            match line_of(address) {
                Line::Own(line) => return f.write_str(&line),
                Line::Header => {}
                Line::Unknown => return f.write_str(&in_file(address)),
            }
        }
        f.write_str("an unknown place")
    }
}

/// The answer of debug information about an address.
enum Line {
    Own(String),
    /// It is in one of HIP's headers: its caller is the program.
    Header,
    Unknown,
}

/// File and line of a return address.
fn line_of(address: usize) -> Line {
    let mut line = Line::Unknown;
    // The call stands before the address that it returns to.
    backtrace::resolve((address - 1) as *mut c_void, |symbol| {
        let (Some(file), Some(number)) = (symbol.filename(), symbol.lineno()) else { return };
        let file = file.display().to_string();
        let is_header = file.contains("/hip/") && (file.ends_with(".h") || file.ends_with(".hpp"));
        match line {
            Line::Own(_) => {}
            _ if is_header => line = Line::Header,
            _ => line = Line::Own(format!("{file}:{number}")),
        }
    });
    line
}

/// A function or a file with an offset.
fn in_file(address: usize) -> String {
    let mut name = None;
    backtrace::resolve((address - 1) as *mut c_void, |symbol| {
        if let (None, Some(found)) = (&name, symbol.name()) {
            let offset = symbol.addr().map_or(0, |start| address - start as usize);
            name = Some(format!("{found:#}+{offset:#x}"));
        }
    });
    let mapped = mappings().into_iter().find(|mapping| mapping.range.contains(&address));
    let file = mapped.map(|mapping| {
        let name = mapping.path.rsplit('/').next().unwrap_or_default().to_owned();
        format!("{name}+{:#x}", address - mapping.range.start + mapping.offset)
    });
    match (name, file) {
        (Some(name), Some(file)) => format!("{name} ({file})"),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => format!("{address:#x}"),
    }
}

/// A file in the address space of the process.
pub(crate) struct Mapping {
    pub(crate) range: Range<usize>,
    offset: usize,
    pub(crate) path: String,
}

/// All mapped files.
pub(crate) fn mappings() -> Vec<Mapping> {
    let text = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    text.lines().filter_map(mapping).collect()
}

/// A line such as `7f00-7f10 r-xp 00001000 08:01 1234 /usr/lib/x.so`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let hex = |text: &str| usize::from_str_radix(text, 16).ok();
    let offset = hex(words.nth(1)?)?;
    let path = line.find('/').map(|at| line[at..].to_owned())?;
    Some(Mapping { range: hex(start)?..hex(end)?, offset, path })
}

/// The addresses of this library.
fn own_code() -> Range<usize> {
    static OWN: OnceLock<Range<usize>> = OnceLock::new();
    OWN.get_or_init(|| {
        let here = Place::caller as *const () as usize;
        let all = mappings();
        let Some(own) = all.iter().find(|mapping| mapping.range.contains(&here)) else { return here..here };
        let same = || all.iter().filter(|mapping| mapping.path == own.path);
        let start = same().map(|mapping| mapping.range.start).min().unwrap_or(here);
        start..same().map(|mapping| mapping.range.end).max().unwrap_or(here)
    })
    .clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_maps_is_read() {
        let found = mapping("7f00-7f10 r-xp 00001000 08:01 1234    /usr/lib/x y.so").unwrap();
        assert_eq!(
            (found.range, found.offset, found.path.as_str()),
            (0x7f00..0x7f10, 0x1000, "/usr/lib/x y.so")
        );
        assert!(mapping("7f00-7f10 rw-p 00000000 00:00 0").is_none());
    }

    #[test]
    fn an_address_of_this_program_has_its_file_and_line() {
        let here = Place::caller as *const () as usize + 16;
        let text = Place([here, 0, 0, 0]).to_string();
        assert!(text.contains("place.rs:"), "{text}");
    }
}
