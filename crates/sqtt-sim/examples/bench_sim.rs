//! Speed of the simulator: time of one thread and of all, and instructions for each instruction that it simulates.
//!
//! `cargo xtask bench sim` installs what is needed and runs it. A launch is run in two sizes: what both have in common
//! (start, disassembly, reading) falls out of the difference. Callgrind counts this program at one launch.

use anyhow::{Context as _, Result, ensure};
use commands::{capture, device_compile, more_instructions};
use sqtt_sim::{Launch, Options, Program, parse_arg};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The times of a size are taken this often; the shortest counts: nothing makes a program faster than it is.
const RUNS: usize = 5;

const TARGETS: [&str; 2] = ["gfx90a", "gfx1100"];

/// An example's launch, in two sizes.
struct Example {
    name: &'static str,
    kernel: &'static str,
    block: [u32; 3],
    args: &'static [&'static str],
    grids: [[u32; 3]; 2],
}

const EXAMPLES: [Example; 2] = [
    Example {
        name: "tiles",
        kernel: "multiply_tiles",
        block: [16, 16, 1],
        args: &["buf:f32:iota:65536", "buf:f32:iota:65536", "buf:f32:65536", "u32:256"],
        grids: [[2, 2, 1], [16, 16, 1]],
    },
    Example {
        name: "divergent",
        kernel: "collatz",
        block: [256, 1, 1],
        args: &["buf:u32:iota:131072", "buf:u32:131072", "u32:131072"],
        grids: [[8, 1, 1], [512, 1, 1]],
    },
];

fn main() -> Result<()> {
    if let [_, file, name, size] = &std::env::args().collect::<Vec<_>>()[..] {
        let example = EXAMPLES.iter().find(|example| example.name == name).context("no such example")?;
        run(&std::fs::read(file)?, example, size.parse()?, 1)?;
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let cores = std::thread::available_parallelism().context("the number of cores is unknown")?;
    println!(
        "examples without markers in the simulator: time of one thread, then of {cores}, best of {RUNS}; callgrind \
         with one thread"
    );
    println!(
        "{:<12}{:<10}{:>20}{:>16}{:>18}{:>20}",
        "example", "target", "wave-instructions", "M/s one core", "M/s all cores", "instructions each"
    );
    for example in &EXAMPLES {
        for target in TARGETS {
            measure(example, target, folder.path())?;
        }
    }
    Ok(())
}

fn measure(example: &Example, target: &str, folder: &Path) -> Result<()> {
    let file = folder.join(format!("{}.co", example.name));
    let source = format!("examples/{}.hip", example.name);
    capture(&mut device_compile(Path::new(&source), target, &file))?;
    let code_object = std::fs::read(&file)?;
    let simulated = run(&code_object, example, 1, 0)? - run(&code_object, example, 0, 0)?;
    let shortest = |size: usize, threads: usize| -> Result<f64> {
        (0..RUNS).try_fold(f64::INFINITY, |best, _| {
            let start = Instant::now();
            run(&code_object, example, size, threads)?;
            Ok(best.min(start.elapsed().as_secs_f64()))
        })
    };
    let rate = |threads: usize| -> Result<f64> {
        let seconds = shortest(1, threads)? - shortest(0, threads)?;
        ensure!(seconds > 0.0, "the large launch takes no longer than the small one");
        Ok(simulated as f64 / seconds / 1e6)
    };
    let counted = |size: &str| -> Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(&file).args([example.name, size]);
        Ok(command)
    };
    let (one, all) = (rate(1)?, rate(0)?);
    let each = more_instructions([counted("0")?, counted("1")?], folder)? as f64 / simulated as f64;
    println!("{:<12}{target:<10}{simulated:>20}{one:>16.2}{all:>18.2}{each:>20.1}", example.name);
    Ok(())
}

/// Runs an example at its small or large size; gives the wave-instructions.
fn run(code_object: &[u8], example: &Example, size: usize, threads: usize) -> Result<u64> {
    let args = example.args.iter().map(|arg| parse_arg(arg)).collect::<Result<_, _>>()?;
    let launch = Launch::over(example.kernel, example.grids[size], example.block, args);
    let options = Options::default().threads(threads);
    Ok(sqtt_sim::run(&Program::load(code_object)?, &launch, &options)?.instructions)
}
