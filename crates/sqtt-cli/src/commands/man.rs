//! `sqtt man`: the manual, out of the same definitions as `--help`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::CommandFactory;
use sqtt_files::WholeFile;

/// Print the manual page of sqtt, or write those of all its commands into a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt man | man -l -                      read the first page
  sqtt man -o ~/.local/share/man/man1      sqtt.1, sqtt-funcmap.1, sqtt-rocpd-merge.1, …

Exit status: 0 when all was written, 1 when it could not be, 2 for wrong arguments.")]
pub(crate) struct Args {
    /// Write a page per command into DIR, which is made where it is not there
    #[arg(short = 'o', long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut command = crate::Cli::command();
        command.build();
        match self.output {
            Some(folder) => {
                fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
                pages(&command, "sqtt", &mut |name, page| write(&folder, name, page))
            }
            None => Ok(io::stdout().lock().write_all(&page(&command, "sqtt")?)?),
        }
    }
}

/// The pages of a command and of those below it.
fn pages(
    command: &clap::Command,
    name: &str,
    take: &mut dyn FnMut(&str, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    take(name, &page(command, name)?)?;
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        pages(below, &format!("{name}-{}", below.get_name()), take)?;
    }
    Ok(())
}

/// One page. Its name has dashes where the command's has blanks.
fn page(command: &clap::Command, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .source(concat!("sqtt ", env!("CARGO_PKG_VERSION")))
        .title(name.to_uppercase())
        .render(&mut page)?;
    Ok(page)
}

fn write(folder: &Path, name: &str, page: &[u8]) -> anyhow::Result<()> {
    let path = folder.join(format!("{name}.1"));
    let mut out = WholeFile::create(&path)?;
    out.write_all(page).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(out.finish()?)
}
