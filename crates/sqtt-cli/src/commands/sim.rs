//! `sqtt sim`: run a kernel without a GPU.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use sqtt_decoder::codeobj::{Binary, CodeObject, FuncmapWarning};
use sqtt_format::Funcmap;
use sqtt_sim::{
    Launch, Options, Program, coverage_json, parse_arg, run_as_far_as_possible, write_coverage,
    write_summary, write_trace,
};

use crate::output::new_folder;
use crate::say;

/// Run a kernel on a simulated GPU and print what its waves trace.
///
/// Reads AMDGPU code objects, clang offload bundles, and host programs and libraries with HIP
/// kernels. Needs llvm-objdump (LLVM 17 or newer). Times are simulated: a fixed cost per class of
/// instruction, not a prediction of any GPU.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Arguments, in the order of the kernel's parameters:
  u32:5  i64:-1  f32:1.5  f16:0.5     a value (u8 to u64, i8 to i64, f16, f32, f64)
  buf:u32:256                         a buffer of 256 zeros
  buf:u32:iota:256                    a buffer of 0, 1, 2, ...
  buf:u32:@in.bin                     a buffer with the bytes of a file
  bytes:00ff12                        a structure by value, in hexadecimal
  null                                a null pointer

Examples:
  sqtt sim kernel.co --kernel saxpy --grid 4 --block 256 --arg buf:f32:iota:1024 --arg buf:f32:1024 --arg f32:2
  sqtt sim my_app --target gfx1100 --kernel 'tile::load' --grid 2,2 --block 16,16 --arg buf:u32:1024 --json
  sqtt sim kernel.co --kernel saxpy --grid 4 --block 256 --arg null --trace traced/ && sqtt stats traced/
  sqtt sim my_app --target gfx942 --coverage
  sqtt sim hangs.co --kernel hangs --grid 4 --block 256 --trace traced/ || sqtt where traced/

Exit status: 0 when the kernel ran to its end, 1 when it did not (with --trace, the trace is written all the
same), 2 for wrong arguments.")]
pub(crate) struct Args {
    /// Code object, offload bundle, program or library
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The GPU to run on, where the file holds code for several
    #[arg(long, value_name = "GPU")]
    target: Option<String>,
    /// The kernel, mangled or demangled
    #[arg(long, value_name = "NAME", required_unless_present = "coverage")]
    kernel: Option<String>,
    /// Workgroups
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions, required_unless_present = "coverage")]
    grid: Option<[u32; 3]>,
    /// Work-items of a workgroup
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions, required_unless_present = "coverage")]
    block: Option<[u32; 3]>,
    /// Run nothing: say which instructions are simulated exactly, which within stated bounds, and which are refused
    /// where they are executed. With --kernel, those of one kernel
    #[arg(long, conflicts_with_all = ["grid", "block", "args", "trace", "accesses"])]
    coverage: bool,
    /// A kernel argument; repeat for each
    #[arg(long = "arg", value_name = "ARG")]
    args: Vec<String>,
    /// Bytes of dynamically allocated LDS
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    dynamic_lds: u32,
    /// Print waves, markers and buffers as JSON
    #[arg(long)]
    json: bool,
    /// With --json: every memory access of each wave
    #[arg(long, requires = "json")]
    accesses: bool,
    /// Write a trace folder like that of rocprofv3 --att: raw files, the code object, ui_* JSON; of a kernel that
    /// does not run to its end, up to where it stopped. DIR must not be there yet
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,
    /// Threads; 0 for one per core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Instructions that a workgroup may execute before it counts as one that never ends
    #[arg(long, value_name = "N", default_value_t = Options::default().max_steps)]
    max_steps: u64,
    /// Records of all waves that are kept: markers, and 32 for an access of --accesses
    #[arg(long, value_name = "N", default_value_t = Options::default().max_records)]
    max_records: u64,
    /// Run all workgroups side by side, so that they may wait for each other
    #[arg(long)]
    cooperative: bool,
    /// Let waves that have ended count as arrived at barriers, as the hardware does; HIP calls it an error
    #[arg(long)]
    ended_waves_pass_barriers: bool,
}

/// The map that names a kernel's words, with a warning where names are missing or may be another unit's.
fn map_of(code_object: &CodeObject<'_>, kernel: &str) -> anyhow::Result<Option<Funcmap>> {
    let named = code_object.funcmap()?;
    let doubts = named.warnings.iter();
    let doubts =
        doubts.filter(|warning| matches!(warning, FuncmapWarning::Section(_) | FuncmapWarning::SharedIds(_)));
    doubts.for_each(|warning| say::warning(&format_args!("{}: {warning}", code_object.name())));
    let lookup = named.lookup_map(kernel.as_bytes());
    if lookup.is_none() && named.map.is_some() {
        let why = format!("none of {} funcmaps is of kernel `{kernel}`, or several are", named.maps.len());
        say::warning(&format_args!("{}: {why}: its words have no names", code_object.name()));
    }
    Ok(lookup.map(|lookup| lookup.map))
}

/// `X`, `X,Y` or `X,Y,Z`
fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut dims = [1; 3];
    let parts: Vec<_> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three numbers: X,Y,Z".to_owned());
    }
    for (dim, part) in dims.iter_mut().zip(parts) {
        *dim = part.parse().ok().filter(|&n| n > 0).ok_or(format!("`{part}` is not a positive number"))?;
    }
    Ok(dims)
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let args = self.args.iter().map(|a| parse_arg(a)).collect::<Result<Vec<_>, _>>()?;
        let binary = Binary::open(&self.file)?;
        let contents = binary.contents();
        contents.errors.iter().for_each(|error| say::warning(error));
        let code_object = self.choose(&contents.code_objects)?;
        let program = Program::load(code_object.bytes()).with_context(|| code_object.name().to_owned())?;
        if self.coverage {
            return self.write_coverage(&program);
        }
        // Without --coverage the parser asks for all three.
        let (Some(kernel), Some(grid), Some(block)) = (&self.kernel, self.grid, self.block) else {
            bail!("--kernel, --grid and --block are needed")
        };
        let launch = Launch::over(kernel, grid, block, args)
            .dynamic_lds(self.dynamic_lds)
            .cooperative(self.cooperative);
        let options = Options::default()
            .threads(self.threads)
            .max_steps(self.max_steps)
            .max_records(self.max_records)
            .accesses(self.accesses)
            .ended_waves_pass_barriers(self.ended_waves_pass_barriers);
        // Before a long run, not after it.
        let folder = self.trace.as_deref().map(new_folder).transpose()?;
        let ran = run_as_far_as_possible(&program, &launch, &options)?;
        let result = ran.result;
        if result.too_many_records && ran.stopped.is_none() {
            bail!(
                "the waves recorded more than --max-records {}, so none of it is kept; ask for more, or compile with \
                 SQTT_SCOPE_CU, _SIMD, _WAVE or _WG for fewer waves",
                self.max_records
            );
        }
        let traced = folder
            .map(|(folder, _temporary)| write_trace(folder, code_object.bytes(), &program, kernel, &result));
        if let Some(error) = ran.stopped {
            match (traced, &self.trace) {
                (Some(Ok(())), Some(path)) => {
                    bail!("{error}; {} has the trace up to there, see sqtt where", path.display())
                }
                (Some(Err(why)), _) => {
                    bail!("{error}; there is no trace of it: {:#}", anyhow::Error::from(why))
                }
                _ => return Err(error.into()),
            }
        }
        traced.transpose()?;
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            let json = if self.accesses { result.to_json_with_accesses() } else { result.to_json() };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        } else {
            let map = map_of(code_object, &program.kernel(kernel)?.name)?;
            write_summary(&mut out, &program, kernel, &result, map.as_ref())?;
        }
        out.flush()?;
        Ok(())
    }

    /// The report of fidelity.
    fn write_coverage(&self, program: &Program) -> anyhow::Result<()> {
        let named = self.kernel.as_deref().map(|name| program.kernel(name)).transpose()?;
        let function = named.map(|kernel| kernel.name.as_str());
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer(&mut out, &coverage_json(program, function))?;
            writeln!(out)?;
        } else {
            write_coverage(&mut out, program, function)?;
        }
        out.flush()?;
        Ok(())
    }

    /// The code object for the target asked for; without one there must be a single code object.
    fn choose<'a, 'b>(&self, all: &'a [CodeObject<'b>]) -> anyhow::Result<&'a CodeObject<'b>> {
        let target = |c: &CodeObject<'_>| c.target().unwrap_or_else(|| "unknown".to_owned());
        let processor = |c: &CodeObject<'_>| target(c).split(':').next().unwrap_or("").to_owned();
        let fits = |c: &&CodeObject<'_>| match &self.target {
            Some(wanted) => &processor(c) == wanted || &target(c) == wanted,
            None => true,
        };
        let list = || all.iter().map(target).collect::<Vec<_>>().join(", ");
        let chosen: Vec<_> = all.iter().filter(fits).collect();
        match (chosen.as_slice(), &self.target) {
            ([one], _) => Ok(one),
            ([], Some(wanted)) => {
                bail!("{}: no code object for {wanted}, only for {}", self.file.display(), list())
            }
            ([], None) => bail!("{}: no code object inside", self.file.display()),
            _ => self.by_kernel(&chosen).with_context(|| {
                format!("{}: several code objects ({}); choose with --target", self.file.display(), list())
            }),
        }
    }

    /// Several code objects for one target (one per translation unit): the one that has the kernel.
    fn by_kernel<'a, 'b>(&self, all: &[&'a CodeObject<'b>]) -> anyhow::Result<&'a CodeObject<'b>> {
        if self.target.is_none() {
            bail!("no target given");
        }
        let Some(kernel) = &self.kernel else { bail!("several of them are for it; choose with --kernel") };
        for code_object in all {
            if let Ok(program) = Program::load(code_object.bytes())
                && program.kernel(kernel).is_ok()
            {
                return Ok(code_object);
            }
        }
        bail!("none of them has a kernel `{kernel}`")
    }
}
