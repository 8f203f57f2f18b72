//! What markers add to the examples: executed in the simulator, and counted in the code.

use super::{Executed, Launch, device_compile, execute, measured, prepare};
use crate::isa::{self, Needs};
use crate::plugin;
use crate::shell::{self, announce, say};
use crate::workspace::{root, work_dir};
use anyhow::{Context as _, Result, ensure};
use sqtt_format::{Funcmap, Marker};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A kernel that is measured.
pub(super) struct Example {
    pub(super) name: &'static str,
    /// The source, below the project's folder.
    source: &'static str,
    /// A macro that is defined.
    define: Option<&'static str>,
    pub(super) launch: Launch,
}

impl Example {
    /// One of `examples/`.
    const fn of(launch: Launch, source: &'static str) -> Self {
        Self { name: launch.example, source, define: None, launch }
    }
}

const ONCE: &str = "xtask/src/bench/once.hip";
const ONCE_LAUNCH: Launch = Launch {
    example: "once",
    kernel: "once",
    grid: "4",
    block: "64",
    args: &["buf:u32:iota:256", "buf:u32:256"],
};

/// The examples, launched so that every marker is passed, and a kernel of one marker in either form.
pub(super) const EXAMPLES: [Example; 5] = [
    Example::of(
        Launch {
            example: "tiles",
            kernel: "multiply_tiles",
            grid: "4,4",
            block: "16,16",
            args: &["buf:f32:iota:4096", "buf:f32:iota:4096", "buf:f32:4096", "u32:64"],
        },
        "examples/tiles.hip",
    ),
    Example::of(
        Launch {
            example: "divergent",
            kernel: "collatz",
            grid: "4",
            block: "64",
            args: &["buf:u32:iota:256", "buf:u32:256", "u32:250"],
        },
        "examples/divergent.hip",
    ),
    Example::of(
        Launch {
            example: "wrappers",
            kernel: "smooth",
            grid: "4",
            block: "256",
            args: &["buf:f32:iota:1024", "buf:f32:1024", "u32:1000"],
        },
        "examples/wrappers.hip",
    ),
    Example { name: "once", source: ONCE, define: None, launch: ONCE_LAUNCH },
    Example { name: "once, through M0", source: ONCE, define: Some("THROUGH_M0"), launch: ONCE_LAUNCH },
];

pub(super) const TARGETS: [&str; 4] = ["gfx90a", "gfx942", "gfx1100", "gfx1201"];

/// A configuration of the plugin.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) about: &'static str,
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) kind: Kind,
}

impl Setting {
    /// Whether nothing stands around a marker.
    pub(super) fn without_boundary(self) -> bool {
        self.variables.contains(&NO_BOUNDARY)
    }

    /// True if the filter is in the marker's asm.
    pub(super) fn in_asm(self) -> bool {
        self.variables.contains(&ASM)
    }
}

/// What happens at a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Every wave records; nothing is asked.
    Unfiltered,
    /// There is a filter, and every wave passes it.
    Recorded,
    /// There is a filter, and no wave passes it.
    Skipped,
}

/// The simulated machine has CUs (WGPs) 0 to 3. These masks make the code that the default, 0x3, makes: all three are
/// constants that fit an instruction.
const ALL_SIMULATED: (&str, &str) = ("SQTT_SCOPE_CU", "0xF");
const NONE_SIMULATED: (&str, &str) = ("SQTT_SCOPE_CU", "0x30");
const NO_FILTER: (&str, &str) = ("SQTT_SCOPE_CU", "-1");
const NO_BOUNDARY: (&str, &str) = ("SQTT_MEM_BARRIER", "none");
const FENCE: (&str, &str) = ("SQTT_MEM_BARRIER", "fence");
const CFG: (&str, &str) = ("SQTT_SCOPE_FORM", "cfg");
const ASM: (&str, &str) = ("SQTT_SCOPE_FORM", "asm");

pub(super) const SETTINGS: [Setting; 8] = [
    Setting { about: "unfiltered, none", variables: &[NO_FILTER, NO_BOUNDARY], kind: Kind::Unfiltered },
    Setting { about: "unfiltered, fence", variables: &[NO_FILTER, FENCE], kind: Kind::Unfiltered },
    Setting {
        about: "recorded, asm, none",
        variables: &[ALL_SIMULATED, NO_BOUNDARY, ASM],
        kind: Kind::Recorded,
    },
    Setting { about: "recorded, asm, fence", variables: &[ALL_SIMULATED, FENCE, ASM], kind: Kind::Recorded },
    Setting {
        about: "recorded, cfg, none",
        variables: &[ALL_SIMULATED, NO_BOUNDARY, CFG],
        kind: Kind::Recorded,
    },
    Setting {
        about: "skipped, asm, none",
        variables: &[NONE_SIMULATED, NO_BOUNDARY, ASM],
        kind: Kind::Skipped,
    },
    Setting { about: "skipped, asm, fence", variables: &[NONE_SIMULATED, FENCE, ASM], kind: Kind::Skipped },
    Setting { about: "skipped, cfg, fence", variables: &[NONE_SIMULATED, FENCE, CFG], kind: Kind::Skipped },
];

/// One example, target and configuration, against the same code without markers.
pub(super) struct Row {
    pub(super) example: &'static str,
    pub(super) target: &'static str,
    pub(super) setting: Setting,
    /// Instructions executed without markers.
    pub(super) plain: u64,
    /// Instructions that the markers add, executed.
    pub(super) extra: i64,
    /// Those of them that wait for memory.
    pub(super) extra_waits: i64,
    /// What every wave together passed, recorded or not.
    pub(super) passed: Passed,
    /// Markers in the code.
    pub(super) sites: usize,
    /// Instructions that the markers add to the code.
    pub(super) code: i64,
    pub(super) plain_needs: Needs,
    pub(super) needs: Needs,
}

/// Records that a run writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Passed {
    pub(super) waves: u64,
    /// Headers.
    pub(super) markers: u64,
    /// Headers and payloads, by `s_ttracedata_imm`.
    pub(super) immediate: u64,
    /// Headers and payloads, through M0.
    pub(super) through_m0: u64,
}

/// Runs the measurement, prints it, and writes the page.
pub(super) fn run() -> Result<()> {
    prepare()?;
    let work = work_dir("bench/isa")?;
    announce("the examples with and without markers, compiled and executed in the simulator");
    let mut rows = Vec::new();
    for example in &EXAMPLES {
        for target in TARGETS {
            say(&format!("{} on {target}", example.name));
            measure(example, target, &work, &mut rows)?;
        }
    }
    let page = measured::page(&rows)?;
    say(&page);
    let file = root()?.join("docs/measured.md");
    std::fs::write(&file, &page).with_context(|| format!("{}: cannot be written", file.display()))?;
    say(&format!("-> {}", file.display()));
    Ok(())
}

/// One build, and its run.
struct Built {
    code_object: PathBuf,
    disassembly: String,
    needs: Needs,
    executed: Executed,
    /// Instructions executed that wait for memory.
    waits: u64,
}

fn measure(example: &Example, target: &'static str, work: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let plain = build(example, target, None, work)?;
    let mut passed = None;
    for setting in SETTINGS {
        let built = build(example, target, Some(setting), work)?;
        let what = || format!("{} on {target}, {}", example.name, setting.about);
        ensure!(built.executed.buffers == plain.executed.buffers, "{}: the markers change results", what());
        let map = isa::funcmap(&built.code_object, work)?;
        let here = walk(&built.executed, &map, &isa::immediates(&built.disassembly));
        // The first configuration records everything: the others pass what it recorded.
        let passed = *passed.get_or_insert(here);
        let expected = match setting.kind {
            Kind::Skipped => Passed { waves: passed.waves, ..Passed::default() },
            Kind::Unfiltered | Kind::Recorded => passed,
        };
        ensure!(here == expected, "{}: recorded {here:?}, not {expected:?}", what());
        let sites = isa::count_markers(&built.disassembly, &map);
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
            code: isa::count(&built.disassembly).0 as i64 - isa::count(&plain.disassembly).0 as i64,
            plain_needs: plain.needs,
            needs: built.needs,
        });
    }
    Ok(())
}

/// Compiles and runs an example, without markers or with a configuration.
fn build(example: &Example, target: &str, setting: Option<Setting>, work: &Path) -> Result<Built> {
    let (assembly, code_object) = (work.join("kernel.s"), work.join("kernel.co"));
    let mut clang = device_compile(Path::new(example.source), target, &assembly)?;
    clang.args(["-S", "-I", "include", "-I", "examples"]);
    clang.args(example.define.map(|name| format!("-D{name}")));
    if let Some(setting) = setting {
        clang
            .arg("-DSQTT_ENABLED=1")
            .arg(format!("-fpass-plugin={}", plugin::release()?.display()))
            .envs(setting.variables.iter().copied());
    }
    shell::capture(&mut clang)?;
    assemble(&assembly, target, &code_object)?;
    let executed = execute(&mut example.launch.sim(&code_object)?)?;
    // To the simulator a wait does nothing: what is executed less without them is how many there are.
    let text = std::fs::read_to_string(&assembly)
        .with_context(|| format!("{}: cannot be read", assembly.display()))?;
    let (short, short_object) = (work.join("without-waits.s"), work.join("without-waits.co"));
    let kept: Vec<&str> = text.lines().filter(|line| !waits_for_memory(line)).collect();
    std::fs::write(&short, kept.join("\n") + "\n")
        .with_context(|| format!("{}: cannot be written", short.display()))?;
    assemble(&short, target, &short_object)?;
    let without = execute(&mut example.launch.sim(&short_object)?)?;
    Ok(Built {
        disassembly: isa::disassemble(&code_object)?,
        needs: isa::needs(&code_object)?,
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

fn assemble(source: &Path, target: &str, out: &Path) -> Result<()> {
    let mut clang = isa::llvm("clang");
    clang.args(["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-x", "assembler"]);
    shell::capture(clang.arg(format!("-mcpu={target}")).arg(source).arg("-o").arg(out))?;
    Ok(())
}

/// Tells headers from payloads.
fn walk(executed: &Executed, map: &Funcmap, immediates: &BTreeSet<u64>) -> Passed {
    let mut passed = Passed { waves: executed.waves.len() as u64, ..Passed::default() };
    for wave in &executed.waves {
        let mut payload = 0;
        for (pc, word) in &wave.markers {
            if immediates.contains(pc) {
                passed.immediate += 1;
            } else {
                passed.through_m0 += 1;
            }
            if payload > 0 {
                payload -= 1;
            } else {
                passed.markers += 1;
                payload = map.payload_count(Marker::from_word(*word).id);
            }
        }
    }
    passed
}
