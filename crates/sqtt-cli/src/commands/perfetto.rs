//! `sqtt perfetto`: what happened when, for a timeline viewer.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use sqtt_answers::NameStyle;
use sqtt_answers::perfetto::{PerfettoOptions, write_perfetto};
use sqtt_decoder::Ledger;
use sqtt_decoder::trace::Trace;
use sqtt_files::WholeFile;

use crate::output::Output;

use crate::trace_args::{EXIT_STATUS, TraceArgs, clock_rate};

/// Files of a trace are much alike: more effort makes them hardly smaller.
const GZIP_LEVEL: Compression = Compression::new(3);

/// Write timelines that Perfetto (ui.perfetto.dev), chrome://tracing and speedscope open: Chrome's trace
/// event JSON.
///
/// Every trace folder is a time domain of its own and becomes a file of its own, ui_….perfetto.json beside
/// the folder, or in the folder that -o names. Where -o ends in .json or .json.gz it is the file itself (for
/// one trace folder), and where it is - the file goes to stdout. Files ending in .gz are compressed. The
/// files' names are printed on stdout.
///
/// In a file, a process is a dispatch where the trace knows dispatches, else a kernel; a thread is a wave.
/// Scopes are slices, points are instants, data markers are instants and counters. Times are microseconds
/// by the clock rate of realtime.json or --clock-rate-ghz; with neither they are nominal, and a cycle is
/// shown as a nanosecond.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt perfetto --demangle trace_output/                 a file beside every ui_* folder
  sqtt perfetto trace_output/ -o timelines/ --gzip       all files in one folder, compressed
  sqtt perfetto --clock-rate-ghz 2.1 --cu 1 trace_output/ui_output_agent_1_dispatch_1 -o cu1.json.gz

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// The rate of the shader clock; what realtime.json says where nothing is given
    #[arg(long, value_name = "GHZ", value_parser = clock_rate)]
    clock_rate_ghz: Option<f64>,
    /// Compress the files with gzip, and add .gz to their names
    #[arg(short = 'z', long)]
    gzip: bool,
    /// Let every file begin at time 0
    #[arg(long)]
    from_zero: bool,
    /// Write template arguments of functions and kernels as <…> (with --demangle)
    #[arg(long, requires = "demangle")]
    short_names: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let found = self.trace.found()?;
        let mut targets = Targets::new(self.trace.output.as_deref(), self.gzip, found.traces().count())?;
        let to_terminal = targets.to_stdout && io::stdout().is_terminal();
        let filter = self.trace.filter();
        let options = PerfettoOptions {
            clock_ghz: self.clock_rate_ghz,
            names: NameStyle { demangle: self.trace.demangle, short: self.short_names },
            from_zero: self.from_zero,
            outside: None,
        };
        let outcome = self.trace.each_of(&found, !to_terminal, |folder, outside| {
            let options = PerfettoOptions { outside: Some(outside), ..options };
            let write = |out: &mut dyn Write| write_perfetto(out, folder, &filter, &options);
            targets.write(folder, write)
        })?;
        self.trace.finish(&outcome)
    }
}

/// Places of the files.
struct Targets {
    to_stdout: bool,
    file: Option<PathBuf>,
    /// `None` for beside each trace folder.
    folder: Option<PathBuf>,
    gzip: bool,
    taken: HashSet<PathBuf>,
}

impl Targets {
    fn new(output: Option<&Path>, gzip: bool, count: usize) -> anyhow::Result<Self> {
        let mut targets = Self { to_stdout: false, file: None, folder: None, gzip, taken: HashSet::new() };
        let Some(output) = output else { return Ok(targets) };
        let name = output.to_string_lossy();
        if name == "-" {
            targets.to_stdout = true;
        } else if (name.ends_with(".json") || name.ends_with(".json.gz")) && !output.is_dir() {
            targets.gzip |= name.ends_with(".gz");
            targets.file = Some(output.to_owned());
        } else {
            std::fs::create_dir_all(output).with_context(|| format!("cannot make {}", output.display()))?;
            targets.folder = Some(output.to_owned());
        }
        if count > 1 && targets.folder.is_none() {
            bail!(
                "{name}: one file, but there are {count} trace folders, and each is a time domain of its own: \
                 give -o a folder"
            );
        }
        Ok(targets)
    }

    fn write(
        &mut self,
        folder: &Trace,
        write: impl FnOnce(&mut dyn Write) -> io::Result<Ledger>,
    ) -> anyhow::Result<Ledger> {
        if self.to_stdout {
            let mut out = Output::standard();
            let ledger = compressed(&mut out, self.gzip, write)?;
            out.flush()?;
            return Ok(ledger);
        }
        let path = self.path(&folder.path)?;
        let mut out = WholeFile::create(&path)?;
        let written = compressed(&mut out, self.gzip, write);
        let ledger = written.with_context(|| format!("cannot write {}", path.display()))?;
        out.finish()?;
        writeln!(io::stdout(), "{}", path.display())?;
        Ok(ledger)
    }

    /// The file of a trace folder: two folders of one name get names with the folders above them.
    fn path(&mut self, folder: &Path) -> anyhow::Result<PathBuf> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        let folder = std::path::absolute(folder).with_context(|| format!("{}", folder.display()))?;
        let ending = if self.gzip { ".perfetto.json.gz" } else { ".perfetto.json" };
        let place = self.folder.clone().or_else(|| folder.parent().map(Path::to_owned)).unwrap_or_default();
        let parts: Vec<_> = folder.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        for count in 1..=parts.len() {
            let path =
                place.join(format!("{}{ending}", parts[parts.len() - count..].join("__").replace('/', "")));
            if self.taken.insert(path.clone()) {
                return Ok(path);
            }
        }
        bail!("{}: the same trace folder was given twice", folder.display())
    }
}

fn compressed(
    out: &mut dyn Write,
    gzip: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<Ledger>,
) -> io::Result<Ledger> {
    if !gzip {
        return write(out);
    }
    let mut out = GzEncoder::new(out, GZIP_LEVEL);
    let ledger = write(&mut out)?;
    out.finish()?;
    Ok(ledger)
}
