//! A list of named things to run: one place for the lookup, the listing and the error.

use crate::shell::say;
use anyhow::{Context as _, Result};

/// Something that can be run by its name.
pub(crate) struct Listed<Run> {
    pub(crate) name: &'static str,
    /// One line for the list.
    pub(crate) about: &'static str,
    pub(crate) run: Run,
}

/// The one that was asked for. Without a name, prints the list and returns none.
pub(crate) fn choose<'a, Run>(
    command: &str,
    list: &'a [Listed<Run>],
    what: Option<&str>,
) -> Result<Option<&'a Listed<Run>>> {
    let rows: Vec<String> = list
        .iter()
        .map(|listed| format!("  cargo xtask {command} {:<10} {}", listed.name, listed.about))
        .collect();
    let Some(what) = what else {
        say(&rows.join("\n"));
        return Ok(None);
    };
    let found = list.iter().find(|listed| listed.name == what);
    found
        .map(Some)
        .with_context(|| format!("there is no {command} named {what:?}; there are:\n{}", rows.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_answered_with_the_list() {
        let list = [Listed { name: "one", about: "the first", run: 1 }];
        assert_eq!(choose("bench", &list, Some("one")).unwrap().map(|listed| listed.run), Some(1));
        assert!(choose("bench", &list, None).unwrap().is_none());
        let error = choose("bench", &list, Some("two")).err().unwrap().to_string();
        assert!(error.contains("\"two\"") && error.contains("cargo xtask bench one"), "{error}");
    }
}
