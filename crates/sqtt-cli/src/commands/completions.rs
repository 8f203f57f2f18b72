//! `sqtt completions`: what shells complete.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script with which a shell completes commands and options of sqtt.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  source <(sqtt completions bash)                                     for this shell
  sqtt completions bash > ~/.local/share/bash-completion/completions/sqtt
  sqtt completions zsh > ~/.zfunc/_sqtt                               with ~/.zfunc in fpath
  sqtt completions fish > ~/.config/fish/completions/sqtt.fish

Exit status: 0 when it was printed, 1 when it could not be written, 2 for wrong arguments.")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "sqtt", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(())
    }
}
