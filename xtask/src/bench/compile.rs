//! What the plugin adds to a compile, on a generated module.

use super::{callgrind, device_compile, generated, prepare};
use crate::shell::{self, announce, say};
use crate::workspace::{root, work_dir};
use crate::{isa, plugin};
use anyhow::{Context as _, Result};
use nix::sys::resource::{UsageWho, getrusage};
use std::path::Path;
use std::process::Command;

const TARGET: &str = "gfx1200";
/// Markers of [`Input::Points`].
const POINTS: usize = 10_000;
/// Rounds of all configurations, for the time.
const ROUNDS: usize = 5;
/// What twice the points may cost: LLVM's share that is the same for all makes it less than 2.
const TWICE_GOAL: f64 = 2.02;

/// One way to compile.
struct Setting {
    /// For file names.
    key: &'static str,
    about: &'static str,
    input: Input,
    plugin: bool,
    variables: &'static [(&'static str, &'static str)],
    /// What it is compared with: another's key.
    than: &'static str,
    /// The most instructions that it may take, as a multiple of that.
    goal: Option<f64>,
}

/// What is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    /// Functions and kernels as people write them.
    Module,
    /// One kernel of very many points: what a marker costs must not depend on how many there are.
    Points,
    /// One of half as many.
    HalfThePoints,
}

impl Input {
    fn file(self) -> &'static str {
        match self {
            Self::Module => "module.hip",
            Self::Points => "points.hip",
            Self::HalfThePoints => "half-the-points.hip",
        }
    }
}

const FUNCTIONS: (&str, &str) = ("SQTT_INSTRUMENT_FUNCTIONS", "10");
const UNFILTERED: (&str, &str) = ("SQTT_SCOPE_CU", "-1");
const NO_BOUNDARY: (&str, &str) = ("SQTT_MEM_BARRIER", "none");

/// What the rows differ from.
const PLAIN: Setting = Setting {
    key: "none",
    about: "no plugin",
    input: Input::Module,
    plugin: false,
    variables: &[],
    than: "none",
    goal: None,
};
const WITH_PLUGIN: Setting = Setting { plugin: true, ..PLAIN };

/// The two that tell whether twice the points cost twice as much.
const MANY_FILTERED: &str = "many-filtered";
const HALF_FILTERED: &str = "half-filtered";

const SETTINGS: [Setting; 12] = [
    PLAIN,
    Setting { key: "idle", about: "plugin, idle", goal: Some(1.001), ..WITH_PLUGIN },
    Setting {
        key: "functions",
        about: "functions=10 (filter, fence)",
        variables: &[FUNCTIONS],
        goal: Some(1.055),
        ..WITH_PLUGIN
    },
    Setting {
        key: "points",
        about: "functions=10, barriers, memory=4:5 (filter, fence)",
        variables: &[FUNCTIONS, ("SQTT_INSTRUMENT_BARRIERS", "1"), ("SQTT_INSTRUMENT_MEMORY", "4:5")],
        goal: Some(1.15),
        ..WITH_PLUGIN
    },
    Setting {
        key: "unfiltered",
        about: "functions=10, no filter, none",
        variables: &[FUNCTIONS, UNFILTERED, NO_BOUNDARY],
        ..WITH_PLUGIN
    },
    Setting {
        key: "cfg",
        about: "functions=10, cfg form (filter, fence)",
        variables: &[FUNCTIONS, ("SQTT_SCOPE_FORM", "cfg")],
        ..WITH_PLUGIN
    },
    Setting {
        key: "addresses",
        about: "addresses=memory,lds (filter, fence)",
        variables: &[("SQTT_TRACE_ADDRESSES", "memory,lds")],
        goal: Some(1.40),
        ..WITH_PLUGIN
    },
    Setting {
        key: "many",
        about: "10,000 points in a kernel, no filter (fence)",
        input: Input::Points,
        variables: &[UNFILTERED],
        than: "many",
        ..WITH_PLUGIN
    },
    Setting {
        key: MANY_FILTERED,
        about: "the same (filter, fence)",
        input: Input::Points,
        than: "many",
        goal: Some(1.2),
        ..WITH_PLUGIN
    },
    Setting {
        key: "many-bare",
        about: "10,000 points in a kernel, no filter, none",
        input: Input::Points,
        variables: &[UNFILTERED, NO_BOUNDARY],
        than: "many-bare",
        ..WITH_PLUGIN
    },
    Setting {
        key: "many-none",
        about: "the same (filter, none)",
        input: Input::Points,
        variables: &[NO_BOUNDARY],
        than: "many-bare",
        goal: Some(1.2),
        ..WITH_PLUGIN
    },
    Setting {
        key: HALF_FILTERED,
        about: "5,000 points in a kernel (filter, fence)",
        input: Input::HalfThePoints,
        than: HALF_FILTERED,
        ..WITH_PLUGIN
    },
];

/// Runs the measurement.
pub(super) fn run() -> Result<()> {
    prepare()?;
    let work = work_dir("bench/compile")?;
    let inputs = [
        (Input::Module, generated::source()),
        (Input::Points, generated::points(POINTS)),
        (Input::HalfThePoints, generated::points(POINTS / 2)),
    ];
    for (input, text) in inputs {
        let source = work.join(input.file());
        std::fs::write(&source, text).with_context(|| format!("{}: cannot be written", source.display()))?;
    }
    let mut jobs: Vec<(&str, Command)> =
        SETTINGS.iter().map(|setting| Ok((setting.key, job(setting, &work)?))).collect::<Result<_>>()?;

    announce(&format!(
        "clang -cc1 at -O2 for {TARGET} on {}/module.hip ({} device functions, {} kernels) and points.hip; time: user \
         and system, {ROUNDS} interleaved rounds",
        work.display(),
        generated::FUNCTIONS,
        generated::KERNELS
    ));
    let times = times(&mut jobs, ROUNDS)?;
    announce("the same under callgrind, two at a time");
    let instructions = callgrind::instructions(&jobs, &work)?;
    say(&format!(
        "{:<52}{:>8}{:>8}{:>16}{:>8}{:>8}{:>9}",
        "configuration", "seconds", "/ base", "instructions", "/ base", "goal", "records"
    ));
    for (index, setting) in SETTINGS.iter().enumerate() {
        let (_, records) = isa::count(&isa::disassemble(&object(setting, &work))?);
        let base = SETTINGS.iter().position(|other| other.key == setting.than).context("a base")?;
        let time = |run: &Vec<f64>, index: usize| run.get(index).copied().unwrap_or(f64::NAN);
        let seconds = median(times.iter().map(|run| time(run, index)).collect());
        let slower = median(times.iter().map(|run| time(run, index) / time(run, base)).collect());
        let count = |index: usize| instructions.get(index).copied().context("callgrind gave no count");
        let (count, more) = (count(index)?, count(index)? as f64 / count(base)? as f64);
        let goal = setting.goal.map_or(String::new(), |goal| format!("{goal:.3}"));
        let verdict = setting.goal.map_or("", |goal| met(more <= goal));
        say(&format!(
            "{:<52}{seconds:>8.2}{slower:>8.3}{count:>16}{more:>8.4}{goal:>8}{records:>9}  {verdict}",
            setting.about
        ));
    }
    let of = |key: &str| {
        let index = SETTINGS.iter().position(|setting| setting.key == key);
        index.and_then(|index| instructions.get(index)).map(|count| *count as f64).context("no such setting")
    };
    let twice = of(MANY_FILTERED)? / of(HALF_FILTERED)?;
    say(&format!(
        "10,000 points against 5,000: {twice:.3} of the instructions, goal {TWICE_GOAL:.2}  {}",
        met(twice <= TWICE_GOAL)
    ));
    say(&format!("profiles: {}/callgrind.*", work.display()));
    Ok(())
}

/// The verdict on a goal.
pub(super) const fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "MISSED" }
}

fn object(setting: &Setting, work: &Path) -> std::path::PathBuf {
    work.join(format!("{}.o", setting.key))
}

/// The compiler proper, as clang would start it.
fn job(setting: &Setting, work: &Path) -> Result<Command> {
    let object = object(setting, work);
    let mut clang = device_compile(&work.join(setting.input.file()), TARGET, &object)?;
    clang.args(["-I", "examples", "-I", "include", "-DSQTT_ENABLED=1", "-c"]);
    if setting.plugin {
        clang.arg(format!("-fpass-plugin={}", plugin::release()?.display()));
    }
    clang.arg("-###");
    let planned = clang.output().with_context(|| shell::cannot_start(&clang))?;
    let planned = String::from_utf8_lossy(&planned.stderr);
    let line = planned
        .lines()
        .find(|line| line.contains("\"-cc1\""))
        .with_context(|| format!("{} plans no compile:\n{planned}", shell::display(&clang)))?;
    let mut words = words(line).into_iter();
    let mut cc1 = Command::new(words.next().context("clang plans an empty line")?);
    while let Some(word) = words.next() {
        let is_output = word == "-o";
        cc1.arg(word);
        if is_output {
            words.next();
            cc1.arg(&object);
        }
    }
    shell::same_surroundings(&mut cc1, &clang);
    cc1.current_dir(root()?).envs(setting.variables.iter().copied());
    Ok(cc1)
}

/// The words of a line of `clang -###`: each in quotes, with quotes and backslashes escaped.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut characters = line.chars();
    while characters.any(|character| character == '"') {
        let mut word = String::new();
        while let Some(character) = characters.next() {
            match character {
                '"' => break,
                '\\' => word.extend(characters.next()),
                other => word.push(other),
            }
        }
        words.push(word);
    }
    words
}

/// Seconds of user and system time: per round, per job.
pub(super) fn times(jobs: &mut [(&str, Command)], count: usize) -> Result<Vec<Vec<f64>>> {
    let mut rounds = Vec::with_capacity(count);
    for _ in 0..count {
        let mut round = Vec::with_capacity(jobs.len());
        for (_, job) in jobs.iter_mut() {
            let before = children_time()?;
            shell::capture(job)?;
            round.push(children_time()? - before);
        }
        rounds.push(round);
    }
    Ok(rounds)
}

/// Seconds that children which have ended took.
fn children_time() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_planned_line_is_taken_apart() {
        let line = r#" "/usr/lib/clang" "-cc1" "-D" "A=\"b\\c\"" "-o" "/tmp/x y.o" "" "#;
        assert_eq!(words(line), ["/usr/lib/clang", "-cc1", "-D", r#"A="b\c""#, "-o", "/tmp/x y.o", ""]);
    }

    #[test]
    fn the_middle_value_is_the_median() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]).to_bits(), 2f64.to_bits());
        assert!(median(Vec::new()).is_nan());
    }
}
