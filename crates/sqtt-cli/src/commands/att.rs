//! `sqtt att`: trace folders with markers in `code.json` and without a clock in their records.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use sqtt_decoder::trace::Trace;
use sqtt_decoder::write::{RewriteOptions, Style, rewrite_folder, write_folder};
use sqtt_format::Printable;

use crate::output::new_folder;
use crate::trace_args::{EXIT_STATUS, TraceArgs};

/// Write trace folders anew: with the funcmaps of their code objects in code.json, and with packed marker
/// headers as plain words at their corrected times. Raw traces (.att files) become such folders.
///
/// Tools that know nothing of packed clocks, and have no code objects at hand, can read the result; so can
/// sqtt, with the same answers. All other files are carried over as they are. The output is always a new
/// folder, given with -o: it holds the ui_* folders, and appears when it is whole. Filters choose whose
/// records are written; corrections are found over all records. --demangle changes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt att trace_output/ -o decoded/                    all ui_* folders, normalised and corrected
  sqtt att --no-decode-markers trace_output/ -o tables/ only the tables in code.json; records as they are
  sqtt att --se 0 --cu 1 trace_output/ -o one_cu/       the records of one CU
  sqtt att 1234_shader_engine_*_1.att -o ui/            a ui_output_* folder out of raw files
  sqtt att -c build/my_app trace_output/ -o decoded/    names from the program itself

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Keep the words of packed headers and the times at which records arrived
    #[arg(long)]
    no_decode_markers: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Some(output) = &self.trace.output else {
            let what = "give the folder to write with -o DIR: it must not be there yet";
            clap::Command::new("sqtt att").error(ErrorKind::MissingRequiredArgument, what).exit();
        };
        let (new, _temporary) = new_folder(output)?;
        let options =
            RewriteOptions::default().keep_packed(self.no_decode_markers).filter(self.trace.filter());
        let mut written: Vec<PathBuf> = Vec::new();
        let folders = self.trace.folders()?;
        let outcome = self.trace.each_folder(|folder| {
            if !folder.is_raw {
                refuse_inside(folder, output)?;
            }
            let mut name = place(&folders, &folder.path);
            if folder.is_raw {
                // As att_tool calls them.
                let own = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
                name.set_file_name(format!("ui_output_{own}"));
            }
            let target = new.path().join(&name);
            fs::create_dir_all(&target).with_context(|| format!("cannot write {}", target.display()))?;
            let mut ledger = folder.decode(&options.filter, |_, _| {});
            if folder.is_raw {
                write_folder(folder, &target, Style::AttTool, &options)?;
            } else {
                ledger.merge(&rewrite_folder(folder, &target, &options)?);
            }
            written.push(name);
            Ok(ledger)
        })?;
        // Of nothing there is nothing to write.
        if outcome.any {
            new.publish()?;
            let mut out = io::stdout().lock();
            for name in &written {
                let path = output.join(name);
                writeln!(out, "{}", Printable(path.as_os_str().as_encoded_bytes()))?;
            }
            out.flush()?;
        }
        self.trace.finish(&outcome)
    }
}

/// Place of a folder in the output: its name where there is only one, else its path below what all
/// folders have in common.
fn place(folders: &[PathBuf], path: &Path) -> PathBuf {
    let absolute = |path: &Path| {
        // Where a raw trace is called there is nothing; its files are beside that.
        let beside = || {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            Some(fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
        };
        fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
    };
    let own = absolute(path);
    let parent = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let mut common = parent(&own);
    for other in folders {
        while !parent(&absolute(other)).starts_with(&common) && common.pop() {}
    }
    let below = own.strip_prefix(&common).unwrap_or(&own);
    below.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// A copy of a folder in itself would copy itself.
fn refuse_inside(folder: &Trace, output: &Path) -> anyhow::Result<()> {
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (source, parent) = (fs::canonicalize(&folder.path)?, fs::canonicalize(parent)?);
    if parent.starts_with(&source) {
        bail!("{} is inside of the trace folder {}", output.display(), folder.path.display());
    }
    Ok(())
}
