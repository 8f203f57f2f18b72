//! `cargo xtask demo`: from a HIP source to a trace and what it says, on a machine without GPU or ROCm.

use crate::setup;
use crate::shell::{self, announce, display, say};
use crate::workspace::{build_release, remove, root, sqtt, work_dir};
use anyhow::{Context as _, Result, bail, ensure};
use commands::{HIPCC_TARGET, code, hipcc, load_release_plugin};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The kernel's launch: matrices of 64 * 64, one workgroup per tile of 16 * 16.
pub(crate) const LAUNCH: &str = "--kernel multiply_tiles --grid 4,4 --block 16,16 --arg buf:f32:iota:4096 \
                                 --arg buf:f32:iota:4096 --arg buf:f32:4096 --arg u32:64";

/// Answers made of the trace.
const ANSWERS: &[Answer] = &[
    Answer {
        title: "statistics: how often every scope ran, and how long",
        command: &["stats", "--demangle"],
        file: None,
        look: "",
    },
    Answer {
        title: "a flame graph: where the time of all waves goes",
        command: &["flamegraph", "--demangle"],
        file: Some("time.svg"),
        look: "in a browser: `load` and `compute` side by side in `multiply`; a click zooms, Ctrl-F searches",
    },
    Answer {
        title: "a timeline of every wave",
        command: &["perfetto", "--demangle"],
        file: Some("timeline.json"),
        look: "in https://ui.perfetto.dev: a thread per wave, `tile` as a counter, `store` as an instant",
    },
    Answer {
        title: "a report: all of it in one file",
        command: &["report", "--demangle"],
        file: Some("report.html"),
        look: "in a browser, without network: timeline, flame graph, statistics, losses",
    },
];

/// One command on the trace.
struct Answer {
    title: &'static str,
    command: &'static [&'static str],
    /// The file that it writes; without one it prints.
    file: Option<&'static str>,
    /// Place to open the file, and what to see there.
    look: &'static str,
}

/// Runs the demo.
pub(crate) fn run() -> Result<()> {
    announce("packages");
    setup::install(&["demo"])?;
    build_release()?;

    let work = work_dir("demo")?;
    let program = work.join("tiles");
    announce("compiling examples/tiles.hip with hipcc and the plugin");
    let mut compile = hipcc(&work_dir("hipcc-llvm-22")?, HIPCC_TARGET)?;
    compile.current_dir(root()).args(["-O2", "-DSQTT_ENABLED=1", "-I", "include"]);
    compile.arg(load_release_plugin()?).args(["examples/tiles.hip", "-o"]).arg(&program);
    shell::capture(shown(&mut compile))?;
    say(&format!("-> {}", program.display()));

    announce("the names in the finished program (its funcmap)");
    shell::run(shown(sqtt()?.arg("funcmap").arg(&program)))?;

    announce("the instructions around the markers");
    let objects = work.join("objects");
    remove(&objects)?;
    shell::capture(sqtt()?.arg("extract").arg(&program).arg("-o").arg(&objects))?;
    let extracted = files(&objects)?;
    let code_object = extracted.first().context("hipcc put no code object into the program")?;
    let shown_code =
        code::around_markers(&code::disassemble(code_object)?, &code::funcmap(code_object, &work)?);
    ensure!(shown_code.contains("<- enter"), "{} has no markers: the plugin did not run", program.display());
    say(&shown_code);

    let trace = work.join("trace");
    remove(&trace)?;
    announce("the kernel in the simulator: sixteen workgroups, the timeline of one wave, and a trace folder");
    let mut sim = sqtt()?;
    sim.arg("sim").arg(&program).args(["--target", HIPCC_TARGET]).args(LAUNCH.split_whitespace());
    let summary = shell::capture(shown(sim.arg("--trace").arg(&trace)))?;
    // A line for each wave, and below it one for each of its records.
    let mut blocks = summary.split("\nworkgroup ");
    say(blocks.next().unwrap_or_default());
    let (recorded, silent): (Vec<&str>, Vec<&str>) = blocks.partition(|wave| wave.contains("\n "));
    let (Some(first), Some(other)) = (recorded.first(), silent.first()) else {
        bail!("{} waves recorded, {} did not:\n{summary}", recorded.len(), silent.len());
    };
    say(&format!("workgroup {first}\nworkgroup {other}"));
    say(&format!("({} waves recorded, {} did not)", recorded.len(), silent.len()));

    announce("what rocprofv3 --att would have written: raw streams, the code object, JSON");
    let files = files(&trace)?;
    for file in &files {
        say(&format!("{:>9} bytes  {}", file.metadata()?.len(), file.display()));
    }
    let raw = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "att"));
    let of_json = shell::capture(sqtt()?.args(["stats", "--csv"]).arg(&trace))?;
    let of_raw = shell::capture(sqtt()?.args(["stats", "--csv"]).args(raw))?;
    ensure!(
        of_json == of_raw,
        "sqtt stats differs between the raw streams and the JSON:\n{of_raw}\n{of_json}"
    );
    say("\nsqtt reads either, and `sqtt stats` says the same of both.");

    announce("the whole program without a GPU: its own code runs here, its kernel in the simulator");
    let whole = shell::capture(shown(sqtt()?.args(["run", "--target", HIPCC_TARGET, "--"]).arg(&program)))?;
    say(&whole);
    ensure!(whole.contains("the product is right"), "{} found its product wrong", program.display());

    let mut made = Vec::new();
    for answer in ANSWERS {
        announce(answer.title);
        let mut command = sqtt()?;
        command.args(answer.command).arg(&trace);
        let Some(file) = answer.file else {
            shell::run(shown(&mut command))?;
            continue;
        };
        let path = work.join(file);
        // Some commands name the file that they write, and some say nothing: here all look the same.
        shell::run(shown(command.arg("-o").arg(&path)).stdout(Stdio::null()))?;
        say(&format!("-> {}", path.display()));
        made.push(format!("{}\n    {}", path.display(), answer.look));
    }

    announce("what you see");
    say(&format!(
        "\
The names in examples/tiles.hip became ids, and the program carries the table of both. Where the source has a marker,
the kernel has an s_ttracedata or s_ttracedata_imm: it writes one 32-bit word into the thread trace of its wave. The
word is id * 4, plus 2 to enter a scope, plus 1 to leave the one entered last. `exit, and enter` is two source lines in
one word; a data marker is followed by a word with its value.

The timeline has a line per word: the simulated cycle, the instruction's place in the code, and what the word says,
indented by the scopes that are open. Simulated cycles have a fixed cost per class of instruction: they show the order
of things, not the speed of a GPU.

The compare and branch before a marker are the scope filter, which is on by default: only waves on the first two CUs or
WGPs record, and the second wave above sat elsewhere. SQTT_SCOPE_CU=-1 at compile time lets every wave record.

No GPU was used. {} is a whole program for {}; on such a GPU, rocprofv3 --att makes a folder like
{}, and the same commands read it.

Look at
{}",
        program.display(),
        HIPCC_TARGET,
        trace.display(),
        made.join("\n")
    ));
    Ok(())
}

/// Shows a command before it runs.
fn shown(command: &mut Command) -> &mut Command {
    say(&format!("{}\n", display(command)));
    command
}

/// All files below a folder, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("{}: cannot be read", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() { waiting.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    Ok(files)
}
