//! `sqtt funcmap`: the names of a program's markers.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sqtt_answers::NameStyle;
use sqtt_answers::funcmap::{FuncmapJson, write_funcmap_text};
use sqtt_decoder::codeobj::{Binary, CodeObjectFuncmap, FuncmapWarning, Funcmaps};
use sqtt_format::Printable;

use crate::say;

/// Warnings of one code object that are shown beside its table at most.
const WARNING_LIMIT: usize = 20;

/// Print which functions, kernels and markers a program's marker ids stand for.
///
/// Reads the .sqtt_funcmap section of AMDGPU code objects, bare or inside of clang offload bundles (compressed ones
/// too), offload binaries, host programs, objects and libraries with HIP kernels, and archives of these. No LLVM tool
/// is needed, and no file is changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt funcmap my_app                  every code object inside of a host program
  sqtt funcmap --demangle kernel.co    C++ names of functions and kernels
  sqtt funcmap --json *.out | jq '.[].entries[] | select(.kind == \"user\")'

Exit status: 0 when every file held a funcmap and was read whole, 1 when one was not, 2 for wrong
arguments. What could be read is printed in any case; errors and warnings go to stderr.")]
pub(crate) struct Args {
    /// Code objects, offload bundles, programs or libraries
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print C++ names of functions and kernels
    #[arg(long)]
    demangle: bool,
    /// Print one JSON array, an object per code object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = BufWriter::new(io::stdout().lock());
        let names = NameStyle { demangle: self.demangle, short: false };
        let mut json = Vec::new();
        let mut failed = false;
        let mut first = true;
        for path in &self.files {
            let file = read(path);
            failed |= file.failed;
            if self.json {
                json.extend(file.maps.iter().map(|named| FuncmapJson::new(named, names)));
                continue;
            }
            warn(&file.maps);
            let headings = self.files.len() > 1 || file.maps.len() > 1;
            for named in file.maps.iter().filter(|named| named.map.is_some()) {
                if headings {
                    write_heading(&mut out, named, first)?;
                }
                write_funcmap_text(&mut out, named, names)?;
                first = false;
            }
            // Before the errors of the next file.
            out.flush()?;
        }
        if self.json {
            serde_json::to_writer_pretty(&mut out, &json)?;
            writeln!(out)?;
        }
        out.flush()?;
        if failed { Err(say::Reported.into()) } else { Ok(()) }
    }
}

/// Result of one file.
struct FileMaps {
    maps: Vec<CodeObjectFuncmap>,
    /// True if something could not be read, or nothing was there; it has been reported.
    failed: bool,
}

fn read(path: &Path) -> FileMaps {
    let mut file = FileMaps { maps: Vec::new(), failed: false };
    let binary = match Binary::open(path) {
        Ok(binary) => binary,
        Err(error) => {
            say::error(&error);
            file.failed = true;
            return file;
        }
    };
    let Funcmaps { maps, errors, .. } = binary.funcmaps();
    file.maps = maps;
    errors.iter().for_each(|error| say::error(error));
    let any = file.maps.iter().any(|named| named.map.is_some());
    for CodeObjectFuncmap { code_object, .. } in file.maps.iter().filter(|named| named.map.is_none()) {
        let what = format!("{code_object}: no funcmap: not compiled with the plugin, or without kernels");
        if any { say::warning(&what) } else { say::error(&what) }
    }
    let is_cut = |named: &CodeObjectFuncmap| {
        named.warnings.iter().any(|warning| matches!(warning, FuncmapWarning::Section(_)))
    };
    file.failed = !errors.is_empty() || !any || file.maps.iter().any(is_cut);
    file
}

fn warn(maps: &[CodeObjectFuncmap]) {
    for CodeObjectFuncmap { code_object, warnings, .. } in maps {
        for warning in warnings.iter().take(WARNING_LIMIT) {
            say::warning(&format_args!("{code_object}: {warning}"));
        }
        if warnings.len() > WARNING_LIMIT {
            let more = warnings.len() - WARNING_LIMIT;
            say::warning(&format_args!("{code_object}: and {more} more warnings, which --json prints"));
        }
    }
}

/// Names the code object of the next table.
fn write_heading(out: &mut dyn Write, named: &CodeObjectFuncmap, first: bool) -> io::Result<()> {
    if !first {
        writeln!(out)?;
    }
    let target = named.target.as_deref().unwrap_or("unknown target");
    writeln!(out, "{} ({}):", Printable(named.code_object.as_bytes()), Printable(target.as_bytes()))
}
