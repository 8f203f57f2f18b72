//! `sqtt extract`: the code objects of a program, as files.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use sqtt_decoder::codeobj::{Binary, CodeObject};
use sqtt_files::WholeFile;
use sqtt_format::Printable;

use crate::say;

/// Write the code objects of programs, libraries and bundles out as files, or list them.
///
/// Finds them wherever `sqtt funcmap` does: in clang offload bundles (compressed ones too), offload binaries, host
/// programs, objects and libraries, and archives of these. The input is not changed. A file is called after its input,
/// where in it the code object starts, and its target: app-0x3000-gfx1030.co; out of a compressed bundle after where
/// that starts, and the place in what it unpacks to: app-0x1000+0x40-gfx1030.co. Each is complete or not there.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt extract my_app -o objects                       all of them
  sqtt extract librocblas.so --target gfx942 -o out    those for one GPU
  sqtt extract --list libapp.a                         what there is
  sqtt extract --list --json my_app | jq '.[].target'

Exit status: 0 when every input was read whole and something was found, 1 when not (what could be read is written),
2 for wrong arguments.")]
pub(crate) struct Args {
    /// Programs, libraries, archives or bundles
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only code objects for TARGET: a processor (gfx942), or one with features (gfx90a:xnack-); may be given several
    /// times
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,
    /// Folder for the files; made where it is not there
    #[arg(short = 'o', long, value_name = "DIR", required_unless_present = "list", conflicts_with = "list")]
    output: Option<PathBuf>,
    /// Write nothing, and list what there is
    #[arg(long)]
    list: bool,
    /// Replace files that are there already
    #[arg(long)]
    force: bool,
    /// Print one JSON array, an object per code object
    #[arg(long)]
    json: bool,
}

/// One code object, as it is listed.
#[derive(Debug, Serialize)]
struct Row {
    /// `null` with `--list`.
    file: Option<String>,
    name: String,
    target: Option<String>,
    /// Byte of the input; of a compressed bundle, where it starts.
    offset: u64,
    /// Byte of what the compressed bundle unpacks to.
    unpacked_offset: Option<u64>,
    size: usize,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut rows = Vec::new();
        let mut failed = false;
        for path in &self.files {
            let binary = match Binary::open(path) {
                Ok(binary) => binary,
                Err(error) => {
                    say::error(&error);
                    failed = true;
                    continue;
                }
            };
            let mut others = BTreeSet::new();
            let mut fitting = 0;
            binary.each(|found| {
                let code_object = match found {
                    Ok(code_object) => code_object,
                    Err(error) => {
                        failed = true;
                        return say::error(&error);
                    }
                };
                let target = code_object.target();
                if !self.wants(target.as_deref()) {
                    others.insert(target.unwrap_or_else(|| "unknown".to_owned()));
                    return;
                }
                fitting += 1;
                match self.take(&code_object, target) {
                    Ok(row) => rows.push(row),
                    Err(error) => {
                        failed = true;
                        say::error(&format_args!("{error:#}"));
                    }
                }
            });
            if fitting == 0 && !others.is_empty() {
                failed = true;
                let (wanted, others) = (self.target.join(", "), Vec::from_iter(others).join(", "));
                say::error(&format_args!(
                    "{}: no code object for {wanted}, only for {others}",
                    path.display()
                ));
            }
        }
        if self.json {
            serde_json::to_writer_pretty(&mut out, &rows)?;
            writeln!(out)?;
        } else {
            for row in &rows {
                let target = row.target.as_deref().unwrap_or("unknown");
                let (name, size) = (Printable(row.name.as_bytes()), row.size);
                match &row.file {
                    Some(file) => {
                        writeln!(out, "{}: {target}, {size} bytes, of {name}", Printable(file.as_bytes()))?;
                    }
                    None => {
                        let inside = row.unpacked_offset.map_or(String::new(), |at| format!("+{at:#x}"));
                        writeln!(out, "{name}: {target}, {size} bytes at {:#x}{inside}", row.offset)?;
                    }
                }
            }
        }
        out.flush()?;
        if failed { Err(say::Reported.into()) } else { Ok(()) }
    }

    fn wants(&self, target: Option<&str>) -> bool {
        let processor = target.and_then(|target| target.split(':').next());
        let fits = |wanted: &String| target == Some(wanted) || processor == Some(wanted);
        self.target.is_empty() || self.target.iter().any(fits)
    }

    /// Writes it, where it is not only listed.
    fn take(&self, code_object: &CodeObject<'_>, target: Option<String>) -> anyhow::Result<Row> {
        let mut file = None;
        if let Some(folder) = &self.output {
            let path = folder.join(file_name(code_object, target.as_deref()));
            write_whole(&path, code_object.bytes(), self.force)?;
            file = Some(path.display().to_string());
        }
        Ok(Row {
            file,
            name: code_object.name().to_owned(),
            target,
            offset: code_object.offset(),
            unpacked_offset: code_object.unpacked_offset(),
            size: code_object.bytes().len(),
        })
    }
}

/// `app-0x1000+0x40-gfx90a.xnack-.co`: nothing that a file system minds.
fn file_name(code_object: &CodeObject<'_>, target: Option<&str>) -> String {
    let input = code_object.file().file_name().unwrap_or_default().to_string_lossy();
    let inside = code_object.unpacked_offset().map_or(String::new(), |at| format!("+{at:#x}"));
    let target = target.unwrap_or("unknown").replace(':', ".");
    format!("{input}-{:#x}{inside}-{target}.co", code_object.offset())
}

/// Writes a file that appears when it is whole.
fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> anyhow::Result<()> {
    if !replace && path.symlink_metadata().is_ok() {
        bail!("cannot write {}: it is there already, and --force was not given", path.display());
    }
    let cannot = || format!("cannot write {}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).with_context(cannot)?;
    let mut file = if replace { WholeFile::create(path)? } else { WholeFile::create_new(path)? };
    file.write_all(bytes).with_context(cannot)?;
    Ok(file.finish()?)
}
