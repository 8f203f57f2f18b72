//! The table of HIP's functions: `functions.txt` names those of the runtime headers and of hiprtc's.

use crate::missing;

/// A function of HIP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// False of a function whose call is an error.
    pub is_there: bool,
}

/// All functions, by name.
pub fn functions() -> impl Iterator<Item = Function> {
    let names = include_str!("functions.txt").lines();
    names.map(|name| Function { name, is_there: !missing::NAMES.contains(&name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_has_what_is_missing() {
        let names: Vec<&str> = functions().map(|function| function.name).collect();
        assert!(names.is_sorted(), "functions.txt is not sorted");
        assert!(missing::NAMES.iter().all(|name| names.contains(name)));
        let there = functions().filter(|function| function.is_there).count();
        assert!(there > 300, "{there} functions are there");
    }
}
