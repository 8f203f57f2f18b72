//! The `sqtt` command: arguments in, library calls, text out.

mod commands;
mod doctor;
mod progress;
mod say;
mod trace_args;
mod whole_file;

use std::io;
use std::process::ExitCode;

use clap::Parser;

/// Reads what AMD GPU thread traces and the programs that made them say.
#[derive(Debug, Parser)]
#[command(name = "sqtt", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
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
