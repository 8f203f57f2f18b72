//! Common parts of all commands on traces: arguments, loading with progress, the ledger at the end.

use std::fs::File;
use std::io::{self, IsTerminal, Read as _, Write};
use std::path::{Path, PathBuf};

use sqtt_answers::{Format, NameStyle, write_lost_line};
use sqtt_decoder::trace::{Found, LoadOptions, Trace, discover};
use sqtt_decoder::{Filter, Ledger, Numbers, RemarkKind, Threads};

use crate::output::Output;
use crate::passed_over::PassedOver;
use crate::progress::Progress;
use crate::say;
use crate::unused::Unused;

/// Places of a kind of loss that are shown on stderr.
const PLACES_SHOWN: usize = 3;

/// Exit status of all commands on traces, for their help.
pub(crate) const EXIT_STATUS: &str = "\
Exit status: 0 when something could be read, whatever was lost (the summary on stderr says what), 1 when
nothing could, or with --strict when anything was lost, 2 for wrong arguments.";

/// A rate of the shader clock in GHz.
pub(crate) fn clock_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(ghz) if (1e-6..=1e3).contains(&ghz) => Ok(ghz),
        _ => Err("no rate in GHz such as 2.1".to_owned()),
    }
}

/// The format that the flags of a command ask for.
pub(crate) fn format(json: bool, csv: bool) -> Format {
    match (json, csv) {
        (true, _) => Format::Json,
        (_, true) => Format::Csv,
        _ => Format::Text,
    }
}

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct TraceArgs {
    /// Folders that rocprofv3 --att or att_tool wrote, ui_* folders in them, or .att files (raw traces)
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// Only these shader engines, such as 0 or 0,2,4-7
    #[arg(long, value_name = "LIST")]
    se: Option<Numbers>,
    /// Only these CUs (gfx10 and later: WGP, and shader array times 128)
    #[arg(long, value_name = "LIST")]
    cu: Option<Numbers>,
    /// Only these SIMDs
    #[arg(long, value_name = "LIST")]
    simd: Option<Numbers>,
    /// Only these wave slots
    #[arg(long, value_name = "LIST")]
    wave: Option<Numbers>,
    /// Only kernels whose name, mangled or not, contains TEXT; may be given several times
    #[arg(long, value_name = "TEXT")]
    kernel: Vec<String>,
    /// Print C++ names of functions and kernels
    #[arg(long)]
    pub(crate) demangle: bool,
    /// Code objects, programs, or folders with such files, in the place of those beside the trace; may be given
    /// several times
    #[arg(short = 'c', long, value_name = "PATH")]
    code_objects: Vec<PathBuf>,
    /// Write to FILE in the place of stdout
    #[arg(short = 'o', long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Exit with status 1 when anything was lost
    #[arg(long)]
    strict: bool,
    /// Write all losses, with their places, to FILE as JSON
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Threads; as many as there are cores where nothing is said
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
}

impl TraceArgs {
    pub(crate) fn filter(&self) -> Filter {
        Filter::default()
            .se(self.se.clone().unwrap_or_default())
            .cu(self.cu.clone().unwrap_or_default())
            .simd(self.simd.clone().unwrap_or_default())
            .wave(self.wave.clone().unwrap_or_default())
            .kernels(self.kernel.clone())
    }

    pub(crate) fn threads(&self) -> Threads {
        self.threads.map_or_else(Threads::per_core, Threads::new)
    }

    pub(crate) fn names(&self) -> NameStyle {
        NameStyle { demangle: self.demangle, short: false }
    }

    /// Opens the output: a file is there only once it is finished.
    pub(crate) fn writer(&self) -> anyhow::Result<Output> {
        Ok(match &self.output {
            Some(path) => self.file(path)?,
            None => Output::standard(),
        })
    }

    /// A file that is none of the inputs.
    fn file(&self, path: &Path) -> anyhow::Result<Output> {
        let inputs = self.traces.iter().chain(&self.code_objects);
        sqtt_files::refuse_inputs(path, inputs.map(PathBuf::as_path))?;
        if is_capture(path) {
            anyhow::bail!("cannot write {}: it is part of a trace, which is not replaced", path.display());
        }
        Ok(Output::file(path)?)
    }

    /// Ends a text that goes to a file with what was lost; who sees it on a terminal is told on stderr.
    pub(crate) fn end_text(&self, out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
        if self.output.is_some() { write_lost_line(out, &outcome.ledger) } else { Ok(()) }
    }

    /// Names of the traces: paths of folders, and what stands for raw ones.
    pub(crate) fn folders(&self) -> anyhow::Result<Vec<PathBuf>> {
        Ok(discover(&self.traces)?.traces().map(|source| source.path().to_owned()).collect())
    }

    /// Loads the folders one after the other and lets `each` make of them what it will; gives back all
    /// losses and whether there was anything at all.
    pub(crate) fn each_folder(
        &self,
        mut each: impl FnMut(&Trace) -> anyhow::Result<Ledger>,
    ) -> anyhow::Result<Outcome> {
        self.each_of(&self.found()?, self.shows_progress(), |folder, _| each(folder))
    }

    /// True if progress is shown: output on a terminal is its own progress.
    pub(crate) fn shows_progress(&self) -> bool {
        self.output.is_some() || !io::stdout().is_terminal()
    }

    /// The folders and code objects that the arguments name.
    pub(crate) fn found(&self) -> anyhow::Result<Found> {
        let mut found: Found = discover(&self.traces)?;
        found.replace_code_objects(&self.code_objects)?;
        Ok(found)
    }

    /// Works like [`TraceArgs::each_folder`] for folders found before; `shows_progress` says whether progress is shown
    /// until the end of `each`, or while reading only. `each` is also given the losses that are of no folder.
    pub(crate) fn each_of(
        &self,
        found: &Found,
        shows_progress: bool,
        mut each: impl FnMut(&Trace, &Ledger) -> anyhow::Result<Ledger>,
    ) -> anyhow::Result<Outcome> {
        let catalog = found.catalog();
        let mut outside = found.ledger.clone();
        outside.merge(&catalog.ledger);
        let mut ledger = outside.clone();
        let mut any = false;
        let mut passed_over = PassedOver::new(self.filter());
        let mut unused = Unused::new(&catalog, &found.chosen);
        for source in found.traces() {
            let progress = Progress::start(source, io::stderr().is_terminal());
            let options = LoadOptions::default()
                .threads(self.threads())
                .progress(progress.as_ref().map(Progress::bytes));
            let folder = source.load(&catalog, options);
            let progress = progress.filter(|_| shows_progress);
            any |= folder.record_count() > 0 || folder.launch_count() > 0;
            passed_over.look_at(&folder);
            unused.look_at(&folder);
            ledger.merge(&each(&folder, &outside)?);
            drop(progress);
        }
        if any {
            passed_over.say();
            unused.say();
        }
        Ok(Outcome { ledger, outside, any })
    }

    /// Says what was lost, writes the ledger where that was asked for, and decides the exit status.
    pub(crate) fn finish(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let Outcome { ledger, any, .. } = outcome;
        if let Some(path) = &self.ledger {
            let mut out = self.file(path)?;
            serde_json::to_writer_pretty(&mut out, ledger)?;
            writeln!(out)?;
            out.finish()?;
        }
        if !ledger.is_empty() {
            say::warning(ledger);
            for (kind, tally) in ledger.tallies() {
                for (place, count) in tally.places.iter().take(PLACES_SHOWN) {
                    say::note(&format_args!("{}: {count}: {place}", kind.name()));
                }
                let shown: u64 = tally.places.values().take(PLACES_SHOWN).sum();
                if shown < tally.count {
                    say::note(&format_args!("{}: {} elsewhere", kind.name(), tally.count - shown));
                }
            }
        }
        if !any {
            let empty = ledger.tallies().find(|(kind, _)| *kind == RemarkKind::NoWaveData);
            let why = empty.and_then(|(_, tally)| tally.places.keys().next());
            match why {
                Some(why) => anyhow::bail!(
                    "no wave data: the files are there, and hold neither a record nor a wave: {why}"
                ),
                None => anyhow::bail!("nothing could be read"),
            }
        }
        if self.strict && !ledger.is_lossless() {
            anyhow::bail!("something was lost, and --strict was given");
        }
        Ok(())
    }
}

/// True if a file is there that a profiler or a compiler wrote: a raw trace, a file of a `ui_*` folder, a program.
fn is_capture(path: &Path) -> bool {
    let mut head = [0; 4];
    let Ok(there) = path.metadata() else { return false };
    if !there.is_file() {
        return false;
    }
    let mut is_program = || {
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == *b"\x7fELF"
    };
    let folder = path.canonicalize().unwrap_or_default();
    let folder = folder.parent().and_then(Path::file_name).unwrap_or_default();
    path.extension().is_some_and(|extension| extension == "att")
        || folder.as_encoded_bytes().starts_with(b"ui_")
        || is_program()
}

/// Result of reading all folders.
pub(crate) struct Outcome {
    /// All losses.
    pub(crate) ledger: Ledger,
    /// Losses of no trace: code objects, folders that could not be looked into.
    pub(crate) outside: Ledger,
    /// True if there was a record or a wave.
    pub(crate) any: bool,
}
