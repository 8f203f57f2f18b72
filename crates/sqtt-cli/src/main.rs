//! The `sqtt` command: arguments in, library calls, text out.

#![forbid(unsafe_code)]

mod commands;
mod interrupt;
mod output;
mod passed_over;
mod progress;
mod say;
mod trace_args;
mod unused;

use std::io;
use std::process::ExitCode;

use clap::Parser;

/// Reads what AMD GPU thread traces and the programs that made them say.
#[derive(Debug, Parser)]
#[command(
    name = "sqtt",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  sqtt doctor                       does the plugin fit the compiler?
  sqtt funcmap my_app               the names of a program's markers
  sqtt stats trace_output/          cycles per kernel and scope, of what rocprofv3 --att wrote
  sqtt help COMMAND                 what COMMAND does, with examples

Exit status of all commands: 0 when it was done; 1 when something could not be read, was not there or did not
work, with an error on stderr (what could be done is done); 2 for wrong arguments. A reader that closes the
pipe is no error. What else a command's status means, its help says."
)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    interrupt::watch();
    let ran = Cli::parse().command.run();
    interrupt::settle();
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<say::Reported>() {
                say::error(&format_args!("{error:#}"));
            }
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause
                .downcast_ref::<serde_json::Error>()
                .is_some_and(|error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe))
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    /// Every command below `command` that does something, with its whole name.
    fn leaves(command: &clap::Command, name: &str, out: &mut Vec<(String, String)>) {
        let below: Vec<&clap::Command> =
            command.get_subcommands().filter(|below| below.get_name() != "help").collect();
        for below in &below {
            leaves(below, &format!("{name} {}", below.get_name()), out);
        }
        if below.is_empty() {
            out.push((name.to_owned(), command.clone().render_long_help().to_string()));
        }
    }

    #[test]
    fn every_command_has_examples_and_says_its_exit_status() {
        let mut command = Cli::command();
        command.build();
        let mut all = Vec::new();
        leaves(&command, "sqtt", &mut all);
        assert!(all.len() > 10, "{all:?}");
        let lacks = |part: &str| {
            all.iter()
                .filter(|(_, help)| !help.contains(part))
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(lacks("Examples:\n  "), [""; 0], "have no examples in their help");
        assert_eq!(lacks("Exit status: 0 "), [""; 0], "do not say their exit status in their help");
        Cli::command().debug_assert();
    }
}
