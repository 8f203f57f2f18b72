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

/// The examples, launched so that every marker is passed.
pub(super) const LAUNCHES: [Launch; 3] = [
    Launch {
        example: "tiles",
        kernel: "multiply_tiles",
        grid: "4,4",
        block: "16,16",
        args: &["buf:f32:iota:4096", "buf:f32:iota:4096", "buf:f32:4096", "u32:64"],
    },
    Launch {
        example: "divergent",
        kernel: "collatz",
        grid: "4",
        block: "64",
        args: &["buf:u32:iota:256", "buf:u32:256", "u32:250"],
    },
    Launch {
        example: "wrappers",
        kernel: "smooth",
        grid: "4",
        block: "256",
        args: &["buf:f32:iota:1024", "buf:f32:1024", "u32:1000"],
    },
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

pub(super) const SETTINGS: [Setting; 6] = [
    Setting { about: "unfiltered, none", variables: &[NO_FILTER, NO_BOUNDARY], kind: Kind::Unfiltered },
    Setting { about: "unfiltered, fence", variables: &[NO_FILTER, FENCE], kind: Kind::Unfiltered },
    Setting {
        about: "recorded, cfg, none",
        variables: &[ALL_SIMULATED, NO_BOUNDARY, CFG],
        kind: Kind::Recorded,
    },
    Setting {
        about: "recorded, asm, none",
        variables: &[ALL_SIMULATED, NO_BOUNDARY, ASM],
        kind: Kind::Recorded,
    },
    Setting { about: "skipped, cfg, fence", variables: &[NONE_SIMULATED, FENCE, CFG], kind: Kind::Skipped },
    Setting { about: "skipped, asm, fence", variables: &[NONE_SIMULATED, FENCE, ASM], kind: Kind::Skipped },
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
    for launch in &LAUNCHES {
        for target in TARGETS {
            say(&format!("{} on {target}", launch.example));
            measure(launch, target, &work, &mut rows)?;
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
}

fn measure(launch: &Launch, target: &'static str, work: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let plain = build(launch, target, None, work)?;
    let mut passed = None;
    for setting in SETTINGS {
        let built = build(launch, target, Some(setting), work)?;
        let what = || format!("{} on {target}, {}", launch.example, setting.about);
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
        rows.push(Row {
            example: launch.example,
            target,
            setting,
            plain: plain.executed.instructions,
            extra: built.executed.instructions as i64 - plain.executed.instructions as i64,
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
fn build(launch: &Launch, target: &str, setting: Option<Setting>, work: &Path) -> Result<Built> {
    let code_object = work.join(format!("{}.co", launch.example));
    let source = PathBuf::from(format!("examples/{}.hip", launch.example));
    let mut clang = device_compile(&source, target, &code_object)?;
    clang.args(["-I", "include"]);
    if let Some(setting) = setting {
        clang
            .arg("-DSQTT_ENABLED=1")
            .arg(format!("-fpass-plugin={}", plugin::release()?.display()))
            .envs(setting.variables.iter().copied());
    }
    shell::capture(&mut clang)?;
    Ok(Built {
        disassembly: isa::disassemble(&code_object)?,
        needs: isa::needs(&code_object)?,
        executed: execute(&mut launch.sim(&code_object)?)?,
        code_object,
    })
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
