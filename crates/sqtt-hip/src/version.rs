//! The version of HIP that the program was linked against.

use std::sync::OnceLock;

use crate::place::mappings;

/// The major version: that of the `libamdhip64.so` which the program, or else a library of it, needs; 6 where none
/// says so.
pub(crate) fn wanted() -> u32 {
    static WANTED: OnceLock<u32> = OnceLock::new();
    *WANTED.get_or_init(|| {
        let program = std::fs::read_link("/proc/self/exe").map(|path| path.to_string_lossy().into_owned());
        let libraries = mappings().into_iter().map(|mapping| mapping.path);
        let mut paths: Vec<String> = program.into_iter().chain(libraries).collect();
        paths.dedup();
        paths.iter().find_map(|path| of_file(path)).unwrap_or(6)
    })
}

/// The version that a file needs.
fn of_file(path: &str) -> Option<u32> {
    if path.contains("libamdhip64") || path.contains("sqtt") {
        return None;
    }
    needed(&std::fs::read(path).ok()?)
}

/// The version in the names of needed libraries of an ELF file: those are texts with a NUL before and after.
fn needed(bytes: &[u8]) -> Option<u32> {
    const NAME: &[u8] = b"\0libamdhip64.so.";
    let at = bytes.windows(NAME.len()).position(|window| window == NAME)?;
    let rest = &bytes[at + NAME.len()..];
    let digits: String =
        rest.iter().take_while(|byte| byte.is_ascii_digit()).map(|&byte| char::from(byte)).collect();
    (rest.get(digits.len()) == Some(&0)).then(|| digits.parse().ok()).flatten()
}

/// The version that the runtime has, as `hipRuntimeGetVersion` says it, for a program of that major version.
pub(crate) fn number(major: u32) -> i32 {
    // Major, minor and patch in decimal digits: 6.3.42134 is 60342134.
    match major {
        ..6 => 50_221_153,
        6 => 60_342_134,
        _ => 70_051_831,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_needed_library_says_the_version() {
        assert_eq!(needed(b"\0libc.so.6\0libamdhip64.so.5\0x"), Some(5));
        assert_eq!(needed(b"\0libamdhip64.so.6"), None);
        assert_eq!(needed(b"\0libamdhip64.so\0"), None);
    }
}
