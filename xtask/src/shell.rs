//! Announces steps, runs commands, and says which one failed, with its output.

use anyhow::{Context as _, Result, bail};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Says what happens next.
pub(crate) fn announce(what: &str) {
    say(&format!("\n==> {what}"));
}

/// Prints text for the reader.
pub(crate) fn say(text: &str) {
    // A reader that is gone does not stop the work.
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints an error with its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr(), "\nxtask: error: {error:#}");
}

/// Runs a command whose output the reader sees as it comes.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("this failed ({status}), its output is above:\n  {}", display(command));
    }
    Ok(())
}

/// Runs a command quietly. Its output comes back, or with the error.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("this failed ({}):\n  {}\nIts output:\n{stdout}{stderr}", output.status, display(command));
    }
    Ok(stdout.into_owned())
}

/// Gives a command the folder and the variables of another.
pub(crate) fn same_surroundings(command: &mut Command, other: &Command) {
    if let Some(folder) = other.get_current_dir() {
        command.current_dir(folder);
    }
    for (name, value) in other.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}

/// Says that a program cannot even be started.
pub(crate) fn cannot_start(command: &Command) -> String {
    format!("this cannot be started:\n  {}\n", display(command))
}

/// The command as one would type it.
pub(crate) fn display(command: &Command) -> String {
    // shlex would quote every option with a value.
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./:,@%".contains(letter);
    let quote = |word: &std::ffi::OsStr| match word.to_string_lossy() {
        word if !word.is_empty() && word.chars().all(is_plain) => word.into_owned(),
        word => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let variables = command.get_envs().filter_map(|(name, value)| Some((name.to_string_lossy(), value?)));
    let variables = variables.map(|(name, value)| format!("{name}={}", quote(value)));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    variables.chain(words.map(quote)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_as_typed_and_carries_its_output() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]).env("N", "1 2").env_remove("GONE");
        let text = format!("{:#}", capture(&mut command).unwrap_err());
        for part in ["exit status: 3", "N='1 2' sh -c 'echo out; echo err >&2; exit 3'", "out\nerr\n"] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
        let error = capture(&mut Command::new("/no/such/program")).unwrap_err();
        assert!(error.to_string().contains("/no/such/program"), "{error}");
    }
}
