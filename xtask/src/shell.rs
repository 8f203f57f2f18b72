//! Announces steps, runs commands, and says which one failed, with its output.

use anyhow::{Context as _, Result, bail};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Says what happens next.
pub(crate) fn announce(what: &str) {
    // A reader that is gone does not stop the work.
    let _ = writeln!(std::io::stdout(), "\n==> {what}");
    let _ = std::io::stdout().flush();
}

/// Prints text for the reader.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints an error with its causes.
pub(crate) fn complain(error: &anyhow::Error) {
    let _ = std::io::stdout().flush();
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
        bail!(
            "this failed ({}):\n  {}\nIts output:\n{stdout}{}",
            output.status,
            display(command),
            String::from_utf8_lossy(&output.stderr)
        );
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

/// What to say when a program cannot even be started.
pub(crate) fn cannot_start(command: &Command) -> String {
    format!("this cannot be started:\n  {}\n", display(command))
}

/// The command as one would type it.
pub(crate) fn display(command: &Command) -> String {
    let mut text = String::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            let _ = write!(text, "{}={} ", name.to_string_lossy(), quote(value));
        }
    }
    text.push_str(&quote(command.get_program()));
    for argument in command.get_args() {
        let _ = write!(text, " {}", quote(argument));
    }
    text
}

fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_=+./:,@%".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("echo");
        command.args(["a b", "it's", "", "--x=/y"]).env("N", "1 2").env_remove("GONE");
        assert_eq!(display(&command), r"N='1 2' echo 'a b' 'it'\''s' '' --x=/y");
    }

    #[test]
    fn a_failure_names_the_command_and_carries_its_output() {
        let error = capture(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"])).unwrap_err();
        let text = format!("{error:#}");
        for part in ["exit status: 3", "sh -c 'echo out; echo err >&2; exit 3'", "out\nerr\n"] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
        assert!(
            capture(&mut Command::new("/no/such/program"))
                .unwrap_err()
                .to_string()
                .contains("/no/such/program")
        );
    }
}
