//! Cost of the plugin in a compile, on a generated module.

use crate::generated;
use crate::{met, work_dir};
use anyhow::{Context as _, Result};
use commands::{
    Times, cannot_start, code, device_compile, display, instructions, load_release_plugin, root,
    without_settings,
};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "gfx1200";
/// Rounds of all configurations, for the time.
const ROUNDS: usize = 5;
/// The most that twice the points may cost: LLVM's share that is the same for all makes it less than 2.
const TWICE_GOAL: f64 = 2.02;

/// Functions and kernels as people write them.
const MODULE: &str = "module.hip";
/// One kernel of very many points: the cost of a marker must not depend on how many there are.
const POINTS: &str = "points.hip";
/// One of half as many.
const HALF: &str = "half-the-points.hip";

/// One way to compile.
struct Setting {
    /// Whose multiple it is: another's key, or its own.
    than: &'static str,
    /// The name of its files. `none` is compiled without the plugin.
    key: &'static str,
    input: &'static str,
    about: &'static str,
    /// `NAME=value`, with spaces between.
    variables: &'static str,
    /// The most instructions that it may take, as that multiple.
    goal: f64,
}

const ANY: f64 = f64::INFINITY;

const fn row(
    [than, key, input]: [&'static str; 3],
    about: &'static str,
    variables: &'static str,
    goal: f64,
) -> Setting {
    Setting { than, key, input, about, variables, goal }
}

const FILTERED: &str = "SQTT_INSTRUMENT_FUNCTIONS=10";
const EVENTS: &str = "SQTT_INSTRUMENT_FUNCTIONS=10 SQTT_INSTRUMENT_BARRIERS=1 SQTT_INSTRUMENT_MEMORY=4:5";
const BARE: &str = "SQTT_INSTRUMENT_FUNCTIONS=10 SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none";
const CFG: &str = "SQTT_INSTRUMENT_FUNCTIONS=10 SQTT_SCOPE_FORM=cfg";
const ADDRESSES: &str = "SQTT_TRACE_ADDRESSES=memory,lds";

const SETTINGS: [Setting; 12] = [
    row(["none", "none", MODULE], "no plugin", "", ANY),
    row(["none", "idle", MODULE], "plugin, idle", "", 1.001),
    row(["none", "functions", MODULE], "functions=10 (filter, fence)", FILTERED, 1.055),
    row(["none", "points", MODULE], "functions=10, barriers, memory=4:5 (filter, fence)", EVENTS, 1.15),
    row(["none", "unfiltered", MODULE], "functions=10, no filter, none", BARE, ANY),
    row(["none", "cfg", MODULE], "functions=10, cfg form (filter, fence)", CFG, ANY),
    row(["none", "addresses", MODULE], "addresses=memory,lds (filter, fence)", ADDRESSES, 1.40),
    row(["many", "many", POINTS], "10,000 points in a kernel, no filter (fence)", "SQTT_SCOPE_CU=-1", ANY),
    row(["many", "many-filtered", POINTS], "the same (filter, fence)", "", 1.2),
    row(
        ["many-bare", "many-bare", POINTS],
        "10,000 points in a kernel, no filter, none",
        "SQTT_SCOPE_CU=-1 SQTT_MEM_BARRIER=none",
        ANY,
    ),
    row(["many-bare", "many-none", POINTS], "the same (filter, none)", "SQTT_MEM_BARRIER=none", 1.2),
    row(["half-filtered", "half-filtered", HALF], "5,000 points in a kernel (filter, fence)", "", ANY),
];

/// Runs the measurement.
pub(crate) fn run() -> Result<()> {
    let work = work_dir("compile")?;
    let inputs = [
        (MODULE, generated::source()),
        (POINTS, generated::points(10_000)),
        (HALF, generated::points(5_000)),
    ];
    for (input, text) in inputs {
        std::fs::write(work.join(input), text)?;
    }
    let jobs = SETTINGS.iter().map(|setting| Ok((setting.key, job(setting, &work)?)));
    let mut jobs: Vec<(&str, Command)> = jobs.collect::<Result<_>>()?;

    println!(
        "clang -cc1 at -O2 for {TARGET} on {}/module.hip ({} device functions, {} kernels) and points.hip; time: user \
         and system, {ROUNDS} interleaved rounds",
        work.display(),
        generated::FUNCTIONS,
        generated::KERNELS
    );
    let times = Times::measure(&mut jobs, ROUNDS)?;
    println!("the same under callgrind, two at a time");
    let instructions = instructions(&jobs, &work)?;
    println!(
        "{:<52}{:>8}{:>8}{:>16}{:>8}{:>8}{:>9}",
        "configuration", "seconds", "/ base", "instructions", "/ base", "goal", "records"
    );
    let index = |key: &str| SETTINGS.iter().position(|setting| setting.key == key).context("no such setting");
    let more = |key: &str, than: &str| -> Result<f64> {
        Ok(instructions[index(key)?] as f64 / instructions[index(than)?] as f64)
    };
    for (setting, count) in SETTINGS.iter().zip(&instructions) {
        let (job, base) = (index(setting.key)?, index(setting.than)?);
        let records = code::count(&code::disassemble(&object(setting, &work))?).1;
        let (seconds, slower) = (times.seconds(job), times.multiple(job, base));
        let more = more(setting.key, setting.than)?;
        let (goal, verdict) = met(more, setting.goal);
        println!(
            "{:<52}{seconds:>8.2}{slower:>8.3}{count:>16}{more:>8.4}{goal:>8}{records:>9}  {verdict}",
            setting.about
        );
    }
    let twice = more("many-filtered", "half-filtered")?;
    let (goal, verdict) = met(twice, TWICE_GOAL);
    println!("10,000 points against 5,000: {twice:.3} of the instructions, goal {goal}  {verdict}");
    println!("profiles: {}/callgrind.*", work.display());
    Ok(())
}

fn object(setting: &Setting, work: &Path) -> PathBuf {
    work.join(format!("{}.o", setting.key))
}

/// The compiler proper, as clang would start it.
fn job(setting: &Setting, work: &Path) -> Result<Command> {
    let object = object(setting, work);
    let mut clang = device_compile(&work.join(setting.input), TARGET, &object);
    clang.args(["-DSQTT_ENABLED=1", "-c", "-###"]);
    if setting.key != "none" {
        clang.arg(load_release_plugin()?);
    }
    let planned = clang.output().with_context(|| cannot_start(&clang))?;
    let planned = String::from_utf8_lossy(&planned.stderr);
    let line = planned.lines().find(|line| line.contains("\"-cc1\"")).and_then(shlex::split);
    let words = line.with_context(|| format!("{} plans no compile:\n{planned}", display(&clang)))?;
    let (program, arguments) = words.split_first().context("clang plans an empty line")?;
    let mut cc1 = Command::new(program);
    // The last output is the one that counts.
    without_settings(&mut cc1).args(arguments).arg("-o").arg(&object).current_dir(root());
    cc1.envs(setting.variables.split(' ').filter_map(|variable| variable.split_once('=')));
    Ok(cc1)
}
