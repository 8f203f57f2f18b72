//! The `sqtt` command: arguments in, library calls, text out.

mod commands;

use clap::Parser;

/// Reads what AMD GPU thread traces and the programs that made them say.
#[derive(Debug, Parser)]
#[command(name = "sqtt", version, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> anyhow::Result<()> {
    Cli::parse().command.run()
}
