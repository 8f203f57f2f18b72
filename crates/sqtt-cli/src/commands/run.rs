//! `sqtt run`: a whole HIP program without a GPU.

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use sqtt_hip::Settings;
use sqtt_sim::Target;

/// Run a HIP program on simulated GPUs.
///
/// The program's own code runs as it is, its kernels run in the simulator: no GPU and no ROCm are needed. Programs of
/// HIP 5, 6 and 7 start unchanged, whatever their RPATH. A kernel's access outside of its memory is an error that names
/// the kernel, the wave, the lane, the instruction and the allocation.
///
/// Memory of devices is memory of this machine. Work runs in the order in which the program submits it. Needs
/// llvm-objdump (LLVM 17 or newer), and clang for programs that compile kernels themselves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt run ./saxpy
  sqtt run --target gfx1100 -- ./matrix_multiplication -A 64 -B 64 -C 64
  sqtt run --devices 2 -- ./multi_gpu_data_transfer
  sqtt run --check-uninitialized -- ./my_app
  sqtt run --trace traced/ -- ./my_app && sqtt stats traced/*
  sqtt run --rocpd run.db --counters all -- ./saxpy && sqtt rocpd pmc-perf run.db
  sqtt run --list-functions | grep Graph

Exit status: 0 for --list-functions and --list-counters; otherwise that of the program, 1 in place of its 0 when a
kernel faulted, 1 when it could not be started, 2 for wrong arguments.")]
pub(crate) struct Args {
    /// The GPU to simulate
    #[arg(long, value_name = "GPU", default_value = "gfx942")]
    target: Target,
    /// Simulated devices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    devices: u64,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Instructions that a workgroup may execute
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Markers of a dispatch for --trace; of one with more no trace is written
    #[arg(long, visible_alias = "limit", value_name = "N")]
    max_records: Option<u64>,
    /// Let waves that have ended count as arrived at barriers, as hardware does; off, such a barrier is an error
    #[arg(long)]
    ended_waves_pass_barriers: bool,
    /// Let a kernel's read of device memory that nothing wrote be an error
    #[arg(long)]
    check_uninitialized: bool,
    /// Write a trace folder of each dispatch into DIR, like those of rocprofv3 --att
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Write a rocpd database of the run: calls, dispatches, copies, allocations. `%p` stands for the process
    #[arg(long, value_name = "FILE")]
    rocpd: Option<PathBuf>,
    /// Count in each dispatch, for the database: `all`, or names with commas
    #[arg(long, value_name = "LIST", requires = "rocpd", value_parser = counters)]
    counters: Option<String>,
    /// Write a line per dispatch with a hash of the devices' memory after it: two builds of a program with the same lines
    /// have computed the same
    #[arg(long, value_name = "FILE")]
    digests: Option<PathBuf>,
    /// List the counters
    #[arg(long, conflicts_with = "program")]
    list_counters: bool,
    /// List the functions of HIP, and which of them are there
    #[arg(long, conflicts_with = "program")]
    list_functions: bool,
    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required_unless_present_any = ["list_functions", "list_counters"], trailing_var_arg = true)]
    program: Vec<OsString>,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.list_functions {
            return list();
        }
        if self.list_counters {
            return list_counters();
        }
        let own = env::current_exe().context("the path of this program")?;
        let library = sqtt_hip::find(&own, env::var_os(sqtt_hip::VARIABLE).as_deref())?;
        let folder = install(&library)?;
        let mut settings = Settings::default();
        settings.target = self.target;
        settings.devices = self.devices as usize;
        settings.threads = self.threads;
        settings.max_steps = self.max_steps;
        settings.max_records = self.max_records;
        settings.ended_waves_pass_barriers = self.ended_waves_pass_barriers;
        settings.check_uninitialized = self.check_uninitialized;
        // The program may go to another folder.
        settings.trace = self.trace.map(std::path::absolute).transpose()?;
        if let Some(path) = &self.rocpd {
            settings.rocpd = Some(std::path::absolute(path)?);
        }
        settings.digests = self.digests.map(std::path::absolute).transpose()?;
        settings.counters = self.counters;
        settings.check()?;
        let [program, arguments @ ..] = self.program.as_slice() else { bail!("no program") };
        let mut command = Command::new(program);
        command.args(arguments).envs(settings.variables());
        command.envs(sqtt_hip::loader_variables(&folder, |name| env::var_os(name))?);
        // The program takes the place of this one: its signals and its exit status are its own.
        let error = command.exec();
        Err(error).with_context(|| format!("{} cannot be started", Path::new(program).display()))
    }
}

/// A list of counters that are simulated.
fn counters(list: &str) -> Result<String, sqtt_hip::SettingsError> {
    let mut settings = Settings::default();
    settings.counters = Some(list.to_owned());
    settings.check().map(|()| list.to_owned())
}

/// Puts the libraries into a folder: beside the one with the functions, or where the user's caches are.
fn install(library: &Path) -> anyhow::Result<PathBuf> {
    let beside = library.with_file_name("sqtt-hip");
    let Err(error) = sqtt_hip::install(&beside, library) else { return Ok(beside) };
    let home = env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home).ok_or(error)?;
    // Two installations do not share one.
    let name: String = library.to_string_lossy().chars().filter(|letter| letter.is_alphanumeric()).collect();
    let folder = cache.join("sqtt").join(name);
    sqtt_hip::install(&folder, library)?;
    Ok(folder)
}

fn list_counters() -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for counter in sqtt_hip::COUNTERS {
        writeln!(out, "{:<24} {}", counter.name, counter.description)?;
    }
    out.flush()?;
    Ok(())
}

fn list() -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for function in sqtt_hip::functions() {
        let state = if function.is_there { "there" } else { "an error at its call" };
        writeln!(out, "{:<60} {state}", function.name)?;
    }
    out.flush()?;
    Ok(())
}
