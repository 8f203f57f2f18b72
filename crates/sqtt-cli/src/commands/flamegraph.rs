//! `sqtt flamegraph`: where the time goes, as a picture or as stacks.

use std::io::Write;
use std::path::PathBuf;

use sqtt_answers::NameStyle;
use sqtt_answers::flame::{
    FlameOptions, FlameUnit, Flames, SvgOptions, Weight, write_folded, write_speedscope, write_svg,
};
use sqtt_decoder::trace::discover;
use sqtt_format::Printable;

use crate::say;
use crate::trace_args::{EXIT_STATUS, TraceArgs, clock_rate};

/// Draw where the time goes: a flame graph of the scopes of all waves, as SVG.
///
/// The width of a frame is the time that all waves together spent in a scope. What a frame has beyond the
/// frames on it is its exclusive time: a frame's own time and its children add up to the frame. A kernel's
/// own time is what its waves spent outside of all scopes. In a browser, a click zooms and Ctrl-F searches.
///
/// Every trace folder is a time domain of its own: the stacks of several folders are put together after
/// each was looked at by itself.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("\
Examples:
  sqtt flamegraph --demangle trace_output/ -o time.svg        open time.svg in a browser
  sqtt flamegraph --per cu --weight time trace_output/ -o cus.svg
  sqtt flamegraph --reverse --icicle trace_output/ -o who.svg  the innermost scopes first
  sqtt flamegraph new/ --diff old/ -o diff.svg                red is longer than before, blue is shorter
  sqtt flamegraph --folded trace_output/ | inferno-flamegraph > time.svg
  sqtt flamegraph --speedscope trace_output/ -o time.speedscope.json

{EXIT_STATUS}"))]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Write folded stacks: a line per stack, frames with ; between them, and the weight (with --diff two:
    /// the old one and the new one)
    #[arg(long, conflicts_with = "speedscope")]
    folded: bool,
    /// Write a file for speedscope, with a profile per kernel or unit
    #[arg(long, conflicts_with = "diff")]
    speedscope: bool,
    /// Unit of the weights: cycles of the shader clock, or nanoseconds
    #[arg(long, value_name = "UNIT", default_value = "cycles")]
    weight: WeightArg,
    /// The rate of the shader clock; what realtime.json says where nothing is given
    #[arg(long, value_name = "GHZ", value_parser = clock_rate)]
    clock_rate_ghz: Option<f64>,
    /// First frame of the stacks
    #[arg(long, value_name = "UNIT", default_value = "kernel")]
    per: PerArg,
    /// Stacks from the innermost scope outwards
    #[arg(long)]
    reverse: bool,
    /// Draw the first frames at the top
    #[arg(long, conflicts_with_all = ["folded", "speedscope"])]
    icicle: bool,
    /// Compare with the trace BASE, taken with the same options: red is longer than there, blue is shorter
    #[arg(long, value_name = "BASE")]
    diff: Option<PathBuf>,
    /// Code objects of the trace BASE, in the place of those beside it; may be given several times
    #[arg(long, value_name = "PATH", requires = "diff")]
    diff_code_objects: Vec<PathBuf>,
    /// Write template arguments of functions and kernels as <…> (with --demangle)
    #[arg(long, requires = "demangle")]
    short_names: bool,
    /// Title above the picture
    #[arg(long, value_name = "TEXT", default_value = "Where the time goes")]
    title: String,
    /// Width of the picture in pixels; as wide as the window where nothing is said
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(100..),
          conflicts_with_all = ["folded", "speedscope"])]
    width: Option<u16>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum WeightArg {
    Cycles,
    Time,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PerArg {
    /// The kernel
    Kernel,
    /// The CU (or WGP) of all shader engines, then the kernel
    Cu,
    /// The SIMD, then the kernel
    Simd,
    /// The wave, then the kernel
    Wave,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let filter = self.trace.filter();
        let mut flames = Flames::new(self.options());
        let mut outcome = self.trace.each_folder(|folder| Ok(flames.add_folder(folder, &filter)?))?;
        flames.note(&outcome.outside);
        if let Some(base) = &self.diff {
            let mut found = discover(std::slice::from_ref(base))?;
            found.replace_code_objects(&self.diff_code_objects)?;
            let mut before = Flames::new(self.options());
            let base =
                self.trace.each_of(&found, true, |folder, _| Ok(before.add_folder(folder, &filter)?))?;
            before.note(&base.outside);
            outcome.ledger.merge(&base.ledger);
            outcome.any &= base.any;
            flames = flames.against(&before);
        }
        if self.reverse {
            flames = flames.reversed();
        }
        if flames.lumped() > 0 {
            say::warning(&format_args!(
                "{} scopes were put together with others: more than {} frames deep, or more than {} stacks",
                flames.lumped(),
                Flames::DEPTH_LIMIT,
                Flames::STACK_LIMIT
            ));
        }
        // Whole or not at all: an error in between leaves no file.
        let mut whole = Vec::new();
        if self.folded {
            write_folded(&mut whole, &flames)?;
        } else if self.speedscope {
            write_speedscope(&mut whole, &flames, &self.title)?;
        } else {
            let title = Printable(self.title.as_bytes()).to_string();
            let options = SvgOptions { title, width: self.width.map(usize::from), icicle: self.icicle };
            write_svg(&mut whole, &flames, &options)?;
        }
        let mut out = self.trace.writer()?;
        out.write_all(&whole)?;
        out.finish()?;
        self.trace.finish(&outcome)
    }

    fn options(&self) -> FlameOptions {
        FlameOptions {
            per: match self.per {
                PerArg::Kernel => FlameUnit::Kernel,
                PerArg::Cu => FlameUnit::Cu,
                PerArg::Simd => FlameUnit::Simd,
                PerArg::Wave => FlameUnit::Wave,
            },
            weight: match self.weight {
                WeightArg::Cycles => Weight::Cycles,
                WeightArg::Time => Weight::Time,
            },
            clock_ghz: self.clock_rate_ghz,
            names: NameStyle { demangle: self.trace.demangle, short: self.short_names },
        }
    }
}
