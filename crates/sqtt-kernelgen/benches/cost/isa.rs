//! Cost of markers in the examples: executed in the simulator, and counted in the code.

use crate::{measured, work_dir};
use anyhow::{Context as _, Result, bail, ensure};
use commands::{capture, code, device_compile, llvm, load_release_plugin, root};
use sqtt_format::{Funcmap, Marker};
use sqtt_sim::{Launch, Options, Program, RunResult, parse_arg};
use std::fs;
use std::path::{Path, PathBuf};

/// A kernel that is measured.
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// The source, below the project's folder, and clang's options for it.
    source: &'static str,
    options: &'static [&'static str],
    /// The launch, as `sqtt sim` takes it.
    pub(crate) launch: &'static str,
}

const fn example(name: &'static str, source: &'static str, launch: &'static str) -> Example {
    Example { name, source, options: &[], launch }
}

const ONCE: Example = example(
    "once",
    "crates/sqtt-kernelgen/benches/cost/once.hip",
    "--kernel once --grid 4 --block 64 --arg buf:u32:iota:256 --arg buf:u32:256",
);

/// The examples, launched so that every marker is passed, and a kernel of one marker in either form.
pub(crate) const EXAMPLES: [Example; 5] = [
    example(
        "tiles",
        "examples/tiles.hip",
        "--kernel multiply_tiles --grid 4,4 --block 16,16 --arg buf:f32:iota:4096 --arg buf:f32:iota:4096 \
         --arg buf:f32:4096 --arg u32:64",
    ),
    example(
        "divergent",
        "examples/divergent.hip",
        "--kernel collatz --grid 4 --block 64 --arg buf:u32:iota:256 --arg buf:u32:256 --arg u32:250",
    ),
    example(
        "wrappers",
        "examples/wrappers.hip",
        "--kernel smooth --grid 4 --block 256 --arg buf:f32:iota:1024 --arg buf:f32:1024 --arg u32:1000",
    ),
    ONCE,
    Example { name: "once, through M0", options: &["-DTHROUGH_M0"], ..ONCE },
];

const TARGETS: [&str; 4] = ["gfx90a", "gfx942", "gfx1100", "gfx1201"];

/// A configuration of the plugin.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) kind: Kind,
    /// The kind, the form and the boundary.
    pub(crate) about: &'static str,
    /// `NAME=value`, with spaces between.
    pub(crate) variables: &'static str,
}

impl Setting {
    /// True if nothing stands around a marker.
    pub(crate) fn without_boundary(self) -> bool {
        self.about.ends_with("none")
    }

    /// True if the filter is in the marker's asm.
    pub(crate) fn in_asm(self) -> bool {
        self.about.contains("asm")
    }
}

/// Fate of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every wave records; nothing is asked.
    Unfiltered,
    /// There is a filter, and every wave passes it.
    Recorded,
    /// There is a filter, and no wave passes it.
    Skipped,
}

const fn setting(kind: Kind, about: &'static str, variables: &'static str) -> Setting {
    Setting { kind, about, variables }
}

/// The simulated machine has CUs (WGPs) 0 to 3: 0xF is all, and 0x30 none of them. These masks make the code that the
/// default, 0x3, makes: all three are constants that fit an instruction.
#[rustfmt::skip]
pub(crate) const SETTINGS: [Setting; 8] = [
    setting(Kind::Unfiltered, "unfiltered, none", "SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none"),
    setting(Kind::Unfiltered, "unfiltered, fence", "SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=fence"),
    setting(Kind::Recorded, "recorded, asm, none", "SQTT_SCOPE_CU=0xF SQTT_MEM_BARRIER=none SQTT_SCOPE_FORM=asm"),
    setting(Kind::Recorded, "recorded, asm, fence", "SQTT_SCOPE_CU=0xF SQTT_MEM_BARRIER=fence SQTT_SCOPE_FORM=asm"),
    setting(Kind::Recorded, "recorded, cfg, none", "SQTT_SCOPE_CU=0xF SQTT_MEM_BARRIER=none SQTT_SCOPE_FORM=cfg"),
    setting(Kind::Skipped, "skipped, asm, none", "SQTT_SCOPE_CU=0x30 SQTT_MEM_BARRIER=none SQTT_SCOPE_FORM=asm"),
    setting(Kind::Skipped, "skipped, asm, fence", "SQTT_SCOPE_CU=0x30 SQTT_MEM_BARRIER=fence SQTT_SCOPE_FORM=asm"),
    setting(Kind::Skipped, "skipped, cfg, fence", "SQTT_SCOPE_CU=0x30 SQTT_MEM_BARRIER=fence SQTT_SCOPE_FORM=cfg"),
];

/// One example, target and configuration, against the same code without markers.
pub(crate) struct Row {
    pub(crate) example: &'static str,
    pub(crate) target: &'static str,
    pub(crate) setting: Setting,
    /// Instructions executed without markers.
    pub(crate) plain: u64,
    /// Instructions that the markers add, executed.
    pub(crate) extra: i64,
    /// Added instructions that wait for memory.
    pub(crate) extra_waits: i64,
    /// Markers that every wave together passed, recorded or not.
    pub(crate) passed: Passed,
    /// Markers in the code.
    pub(crate) sites: usize,
    /// Instructions that the markers add to the code.
    pub(crate) code: i64,
    pub(crate) plain_needs: Needs,
    pub(crate) needs: Needs,
}

/// Records that a run writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) waves: u64,
    /// Headers.
    pub(crate) markers: u64,
    /// Headers and payloads, by `s_ttracedata_imm`.
    pub(crate) immediate: u64,
    /// Headers and payloads, through M0.
    pub(crate) through_m0: u64,
}

/// Runs the measurement, prints it, and writes the page.
pub(crate) fn run() -> Result<()> {
    let work = work_dir("isa")?;
    println!("the examples with and without markers, compiled and executed in the simulator");
    let mut rows = Vec::new();
    for example in &EXAMPLES {
        for target in TARGETS {
            println!("{} on {target}", example.name);
            measure(example, target, &work, &mut rows)?;
        }
    }
    let page = measured::page(&rows)?;
    println!("{page}");
    let file = root().join("docs/measured.md");
    fs::write(&file, &page)?;
    println!("-> {}", file.display());
    Ok(())
}

/// One build, and its run.
struct Built {
    code_object: PathBuf,
    disassembly: String,
    needs: Needs,
    executed: RunResult,
    /// Instructions executed that wait for memory.
    waits: u64,
}

fn measure(example: &Example, target: &'static str, work: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let plain = build(example, target, None, work)?;
    let bytes = |built: &Built| -> Vec<Vec<u8>> {
        built.executed.buffers.iter().map(|buffer| buffer.bytes.clone()).collect()
    };
    let mut passed = None;
    for setting in SETTINGS {
        let built = build(example, target, Some(setting), work)?;
        let what = || format!("{} on {target}, {}", example.name, setting.about);
        ensure!(bytes(&built) == bytes(&plain), "{}: the markers change results", what());
        let map = code::funcmap(&built.code_object, work)?;
        let here = walk(&built.executed, &map);
        // The first configuration records everything: the others pass what it recorded.
        let passed = *passed.get_or_insert(here);
        let expected = match setting.kind {
            Kind::Skipped => Passed { waves: passed.waves, ..Passed::default() },
            Kind::Unfiltered | Kind::Recorded => passed,
        };
        ensure!(here == expected, "{}: recorded {here:?}, not {expected:?}", what());
        let sites = code::count_markers(&built.disassembly, &map);
        ensure!(sites > 0 && passed.markers > 0, "{}: no markers", what());
        let same = |row: &&Row| (row.example, row.target) == (example.name, target);
        let unfiltered = rows.iter().find(|row| same(row) && row.setting.kind == Kind::Unfiltered);
        let spills = unfiltered.map_or(built.needs.spills, |row| row.needs.spills);
        ensure!(
            !setting.in_asm() || built.needs.spills <= spills,
            "{}: {} registers spilled, and {spills} without a filter",
            what(),
            built.needs.spills
        );
        rows.push(Row {
            example: example.name,
            target,
            setting,
            plain: plain.executed.instructions,
            extra: built.executed.instructions as i64 - plain.executed.instructions as i64,
            extra_waits: built.waits as i64 - plain.waits as i64,
            passed,
            sites,
            code: code::count(&built.disassembly).0 as i64 - code::count(&plain.disassembly).0 as i64,
            plain_needs: plain.needs,
            needs: built.needs,
        });
    }
    Ok(())
}

/// Compiles and runs an example, without markers or with a configuration.
fn build(example: &Example, target: &str, setting: Option<Setting>, work: &Path) -> Result<Built> {
    let (assembly, code_object) = (work.join("kernel.s"), work.join("kernel.co"));
    let mut clang = device_compile(Path::new(example.source), target, &assembly);
    clang.arg("-S").args(example.options);
    if let Some(setting) = setting {
        clang.arg("-DSQTT_ENABLED=1").arg(load_release_plugin()?);
        clang.envs(setting.variables.split(' ').filter_map(|variable| variable.split_once('=')));
    }
    capture(&mut clang)?;
    let run = |source: &Path, object: &Path| -> Result<RunResult> {
        let mut clang = llvm("clang");
        clang.args(["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-x", "assembler"]);
        capture(clang.arg(format!("-mcpu={target}")).arg(source).arg("-o").arg(object))?;
        execute(&fs::read(object)?, example.launch)
    };
    let executed = run(&assembly, &code_object)?;
    // To the simulator a wait does nothing: what is executed less without them is how many there are.
    let text = fs::read_to_string(&assembly)?;
    let short = work.join("without-waits.s");
    let kept: Vec<&str> = text.lines().filter(|line| !waits_for_memory(line)).collect();
    fs::write(&short, kept.join("\n") + "\n")?;
    let without = run(&short, &work.join("without-waits.co"))?;
    Ok(Built {
        disassembly: code::disassemble(&code_object)?,
        needs: needs(&code_object)?,
        waits: executed.instructions - without.instructions,
        executed,
        code_object,
    })
}

/// True if a line of assembly waits for a counter of memory operations.
fn waits_for_memory(line: &str) -> bool {
    let op = line.split_whitespace().next().unwrap_or_default();
    op.starts_with("s_wait")
        && !matches!(op, "s_wait_alu" | "s_wait_idle" | "s_wait_event" | "s_waitcnt_depctr")
}

/// Tells headers from payloads.
fn walk(executed: &RunResult, map: &Funcmap) -> Passed {
    let mut passed = Passed { waves: executed.waves.len() as u64, ..Passed::default() };
    for wave in &executed.waves {
        let mut payload = 0;
        for record in &wave.markers {
            if record.immediate {
                passed.immediate += 1;
            } else {
                passed.through_m0 += 1;
            }
            if payload > 0 {
                payload -= 1;
            } else {
                passed.markers += 1;
                payload = map.payload_count(Marker::from_word(record.value).id);
            }
        }
    }
    passed
}

/// Runs a code object in the simulator.
fn execute(code_object: &[u8], launch: &str) -> Result<RunResult> {
    let (mut kernel, mut grid, mut block, mut args) = ("", [1; 3], [1; 3], Vec::new());
    let dimensions = |text: &str, to: &mut [u32; 3]| -> Result<()> {
        for (to, number) in to.iter_mut().zip(text.split(',')) {
            *to = number.parse()?;
        }
        Ok(())
    };
    let words: Vec<&str> = launch.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["--kernel", name] => kernel = name,
            ["--grid", text] => dimensions(text, &mut grid)?,
            ["--block", text] => dimensions(text, &mut block)?,
            ["--arg", text] => args.push(parse_arg(text)?),
            _ => bail!("{pair:?} is no part of a launch"),
        }
    }
    let launch = Launch::over(kernel, grid, block, args);
    Ok(sqtt_sim::run(&Program::load(code_object)?, &launch, &Options::default())?)
}

/// Needs of a code object's kernels, and lengths of its functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) bytes: u64,
    pub(crate) vgprs: u64,
    pub(crate) sgprs: u64,
    pub(crate) spills: u64,
}

/// Reads both with llvm-readelf.
fn needs(code_object: &Path) -> Result<Needs> {
    let text = capture(llvm("llvm-readelf").args(["--notes", "--symbols", "--wide"]).arg(code_object))?;
    let mut needs = Needs::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = |text: &str| text.parse::<u64>().with_context(|| format!("not a number: {line:?}"));
        match words.as_slice() {
            [_, _, size, "FUNC", ..] => needs.bytes += read(size)?,
            [".vgpr_count:", count] => needs.vgprs += read(count)?,
            [".sgpr_count:", count] => needs.sgprs += read(count)?,
            [".vgpr_spill_count:" | ".sgpr_spill_count:", count] => needs.spills += read(count)?,
            _ => {}
        }
    }
    Ok(needs)
}
