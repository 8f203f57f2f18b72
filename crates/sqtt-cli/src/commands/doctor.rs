//! `sqtt doctor`: does everything go together?

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use sqtt_doctor::{Request, examine, write_text};

use crate::say::Reported;

/// Check whether compiler and plugin go together, and what else may be in the way.
///
/// Says which clang it is, its LLVM version and vendor, whether the plugin was built for it, whether it has the symbols
/// that the plugin needs, the C++ libraries of both, and whether it loads the plugin; whether a compiler cache stands
/// between, and whether rocprofv3 is there. For programs and code objects it says which waves their markers record.
/// Where something does not fit, the command that mends it follows.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt doctor                                                    the compiler of ROCm or of the path
  sqtt doctor --clang /opt/rocm/llvm/bin/clang --plugin target/release/libsqttinstrumentpass.so
  sqtt doctor my_app                                             and which waves of my_app record
  sqtt doctor --json | jq '.findings[] | select(.level == \"problem\")'

Exit status: 0 without a problem (warnings are none), 1 with one, 2 for wrong arguments.")]
pub(crate) struct Args {
    /// Programs and code objects whose markers are of interest
    #[arg(value_name = "FILE")]
    objects: Vec<PathBuf>,
    /// The compiler: clang or hipcc. Else that of HIP_CLANG_PATH, of ROCm (ROCM_PATH, /opt/rocm), of the path
    #[arg(long, value_name = "PATH")]
    clang: Option<PathBuf>,
    /// The plugin. Else the one beside this program, or in ../lib
    #[arg(long, value_name = "PATH")]
    plugin: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let request = Request { clang: self.clang, plugin: self.plugin, objects: self.objects };
        let report = examine(&request);
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        } else {
            write_text(&mut out, &report)?;
        }
        out.flush()?;
        if report.ok { Ok(()) } else { Err(Reported.into()) }
    }
}
