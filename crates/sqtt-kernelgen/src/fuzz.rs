//! Many kernels, on several threads, with a report.

use crate::ast::{Form, Kernel, Mark, Payload, Stmt, Ty};
use crate::check::{Wrong, check_marked, check_plain, counts_loads, expect};
use crate::generate::{Features, generate};
use crate::host::check_host;
use crate::print::print;
use crate::rng::Rng;
use crate::setting::{Machine, Setting};
use crate::shrink::shrink;
use crate::silent::check_silent;
use crate::toolchain::{Build, Llvm};
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The time for making one failing kernel smaller.
const SHRINK_LIMIT: Duration = Duration::from_secs(120);

/// The task of a fuzzer.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Kernel `k` is made from `seed + k`.
    pub seed: u64,
    /// Kernels (`sim`), or triples of kernel, target and configuration (`pass`).
    pub count: usize,
    /// Compiles at once.
    pub jobs: usize,
    /// The number of simulated machines that each kernel runs on; they take turns. 0: all.
    pub machines: usize,
    /// The compilers of `pass`; the first gets most of the work.
    pub llvms: Vec<Llvm>,
    /// The folder for reproducers.
    pub failures: PathBuf,
    /// True where failing kernels are made smaller.
    pub shrink: bool,
}

/// The state of a fuzzer's work.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Programs that were compiled and run.
    pub done: usize,
    /// Kernels there will be.
    pub total: usize,
    /// Kernels that failed.
    pub failed: usize,
}

/// The report of a fuzzer.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Kernels that were made.
    pub kernels: usize,
    /// The number of things compared: runs of an object (`sim`), triples (`pass`).
    pub ran: usize,
    /// The ones among them that were wrong.
    pub failures: Vec<Failure>,
    /// Triples by what is special about them.
    pub subjects: BTreeMap<&'static str, usize>,
}

/// One failure.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kernel's seed.
    pub seed: u64,
    /// The target that it was compiled for, and the way.
    pub case: String,
    /// The fault.
    pub wrong: Wrong,
    /// The folder with source, commands, and what was recorded.
    pub folder: PathBuf,
    /// The command that runs it again.
    pub command: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let first: Vec<&str> = self.wrong.what.lines().take(4).collect();
        write!(
            out,
            "seed {}, {}: {:?}: {}\n  source and commands: {}\n  again: {}",
            self.seed,
            self.case,
            self.wrong.kind,
            first.join("\n    "),
            self.folder.display(),
            self.command
        )
    }
}

/// Shared by the threads of one run.
struct Run<'a> {
    plan: &'a Plan,
    what: &'static str,
    total: usize,
    report: Mutex<Report>,
    /// Folders of failures.
    kept: AtomicUsize,
    progress: &'a (dyn Fn(Progress) + Sync),
}

/// Kernels without markers: -O0 and -O3 against the host, on the simulated machines.
///
/// # Errors
/// When a tool is missing.
pub fn fuzz_sim(plan: &Plan, progress: &(dyn Fn(Progress) + Sync)) -> Result<Report> {
    let machines = Machine::all();
    let each = if plan.machines == 0 { machines.len() } else { plan.machines.min(machines.len()) };
    let run = Run::new(plan, "sim", plan.count * each * 2, progress);
    run.parallel(plan.count, |k, folder| {
        let seed = plan.seed + k as u64;
        let kernel = generate(seed, Features::all(false));
        for turn in 0..each {
            // By the seed, so that a kernel meets the same machines when it is run alone.
            let machine = machines[(seed as usize * each + turn) % machines.len()];
            let expected = expect(&kernel, machine.wave);
            for opt in [0, 3] {
                let build = machine.build(Llvm::V22, opt);
                let judged = check_plain(&kernel, &expected, &build, folder)?.map(|_| ());
                let again = |smaller: &Kernel| {
                    let expected = expect(smaller, machine.wave);
                    check_plain(smaller, &expected, &build, folder).map(Result::err)
                };
                run.note(seed, &kernel, &format!("{machine} -O{opt}"), &build, judged, again);
            }
        }
        Ok(())
    })
}

/// Triples per kernel: this many machines and levels, with so many settings each.
const PLACES: usize = 2;
const SETTINGS: usize = 3;

/// The machines that an LLVM compiles for.
fn known(machines: &[Machine], llvm: Llvm) -> Vec<Machine> {
    machines.iter().copied().filter(|machine| machine.is_known_to(llvm)).collect()
}

/// Kernels with markers: results bit-equal with and without the plugin, streams as the source and the setting say.
///
/// # Errors
/// When a tool is missing.
pub fn fuzz_pass(plan: &Plan, progress: &(dyn Fn(Progress) + Sync)) -> Result<Report> {
    let mut plugins = HashMap::new();
    for llvm in &plan.llvms {
        plugins.insert(*llvm, llvm.build_plugin()?);
    }
    let machines = Machine::all();
    let kernels = plan.count.div_ceil(PLACES * SETTINGS);
    let run = Run::new(plan, "pass", kernels * PLACES * SETTINGS, progress);
    run.parallel(kernels, |k, folder| {
        let seed = plan.seed + k as u64;
        let mut rng = Rng::new(seed ^ 0x7A55);
        let kernel = generate(seed, Features::all(true));
        for _ in 0..PLACES {
            let machine = rng.pick(&machines);
            let opt = rng.below(4) as u8;
            // Three of four by the first. The choice is made whatever there is, so that the rest is the same.
            let other = rng.below(4) == 3;
            let llvm = *plan.llvms.get(usize::from(other)).or(plan.llvms.first()).unwrap_or(&Llvm::V22);
            let machine = if machine.is_known_to(llvm) { machine } else { rng.pick(&known(&machines, llvm)) };
            let settings: Vec<Setting> =
                (0..SETTINGS).map(|_| Setting::random(&mut rng, opt, machine)).collect();
            let plain = machine.build(llvm, opt);
            let expected = expect(&kernel, machine.wave);
            let case = format!("LLVM {} {machine} -O{opt}", llvm.major());
            let result = match check_plain(&kernel, &expected, &plain, folder)? {
                Ok(result) => result,
                Err(wrong) => {
                    let again = |smaller: &Kernel| {
                        let expected = expect(smaller, machine.wave);
                        check_plain(smaller, &expected, &plain, folder).map(Result::err)
                    };
                    run.note(seed, &kernel, &format!("{case} without the plugin"), &plain, Err(wrong), again);
                    continue;
                }
            };
            for (turn, setting) in settings.into_iter().enumerate() {
                let host = kernel.host && turn == 0;
                let Some(plugin) = plugins.get(&llvm) else { continue };
                let build = setting.build(&plain, plugin);
                if setting.is_silent() {
                    let kernel = kernel.without_markers();
                    let judged = check_silent(&kernel, &build, folder)?;
                    let again = |smaller: &Kernel| check_silent(smaller, &build, folder).map(Result::err);
                    run.note(seed, &kernel, &format!("{case}, {setting}"), &build, judged, again);
                    run.subject("no marker left");
                    continue;
                }
                let bare = setting.clock.and_then(|_| kernel.without_payloads());
                let bare_expected = bare.as_ref().map(|kernel| expect(kernel, machine.wave));
                let kernel = bare.as_ref().unwrap_or(&kernel);
                let expected = bare_expected.as_ref().unwrap_or(&expected);
                run.subjects(kernel);
                if counts_loads(kernel, &result, &setting) {
                    run.subject("scalar loads that are counted");
                }
                let mut judged = check_marked(kernel, expected, &result, &build, &setting, folder)?;
                if host && judged.is_ok() {
                    run.subject("the host's half");
                    judged = check_host(kernel, &build, folder)?;
                }
                let again = |smaller: &Kernel| {
                    let expected = expect(smaller, machine.wave);
                    let result = match check_plain(smaller, &expected, &plain, folder)? {
                        Ok(result) => result,
                        Err(_) => return Ok(None),
                    };
                    let judged = check_marked(smaller, &expected, &result, &build, &setting, folder)?;
                    Ok(match judged {
                        Ok(()) if host => check_host(smaller, &build, folder)?,
                        judged => judged,
                    }
                    .err())
                };
                run.note(seed, kernel, &format!("{case}, {setting}"), &build, judged, again);
            }
        }
        Ok(())
    })
}

impl<'a> Run<'a> {
    fn new(
        plan: &'a Plan,
        what: &'static str,
        total: usize,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Self {
        Self { plan, what, total, report: Mutex::new(Report::default()), kept: AtomicUsize::new(0), progress }
    }

    /// Does work `0..count` on the plan's number of threads, each with a folder of its own.
    fn parallel(&self, count: usize, work: impl Fn(usize, &Path) -> Result<()> + Sync) -> Result<Report> {
        let next = AtomicUsize::new(0);
        let worker = || {
            let folder = tempfile::tempdir().context("a temporary folder")?;
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= count {
                    return Ok(());
                }
                if let Err(error) = work(k, folder.path()) {
                    // The other threads need not find out for themselves.
                    next.store(count, Ordering::Relaxed);
                    return Err(error);
                }
                if let Ok(mut report) = self.report.lock() {
                    report.kernels += 1;
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.plan.jobs.max(1)).map(|_| scope.spawn(worker)).collect();
            threads.into_iter().try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        let mut report = self.report.lock().map(|report| report.clone()).unwrap_or_default();
        report.failures.sort_by_key(|failure| failure.seed);
        Ok(report)
    }

    /// Counts what is special about a triple.
    fn subject(&self, subject: &'static str) {
        if let Ok(mut report) = self.report.lock() {
            *report.subjects.entry(subject).or_default() += 1;
        }
    }

    fn subjects(&self, kernel: &Kernel) {
        let wide = |payload: &Payload| {
            payload.form != Form::Own || matches!(payload.value.ty(), Ty::U64 | Ty::F32 | Ty::F64)
        };
        for (subject, holds) in [
            ("M0 asm", kernel.has(|stmt| matches!(stmt, Stmt::M0(_)))),
            ("host and device", kernel.host),
            (
                "values of 16 and 64 bits, floats",
                kernel.has(|stmt| matches!(stmt, Stmt::Mark(Mark::Data(_, payload, _)) if wide(payload))),
            ),
        ] {
            if holds {
                self.subject(subject);
            }
        }
    }

    /// Counts one judgement; keeps what is needed to see it again.
    fn note(
        &self,
        seed: u64,
        kernel: &Kernel,
        case: &str,
        build: &Build,
        judged: Result<(), Wrong>,
        mut again: impl FnMut(&Kernel) -> Result<Option<Wrong>>,
    ) {
        let failure = judged.err().map(|wrong| {
            let smaller = self.plan.shrink.then(|| {
                let smaller = shrink(
                    kernel,
                    SHRINK_LIMIT,
                    |kernel| matches!(again(kernel), Ok(Some(found)) if found.kind == wrong.kind),
                );
                let now = again(&smaller).ok().flatten();
                (smaller, now)
            });
            self.keep(seed, kernel, case, build, wrong, smaller)
        });
        let Ok(mut report) = self.report.lock() else { return };
        report.ran += 1;
        report.failures.extend(failure);
        let progress = Progress { done: report.ran, total: self.total, failed: report.failures.len() };
        drop(report);
        (self.progress)(progress);
    }

    fn keep(
        &self,
        seed: u64,
        kernel: &Kernel,
        case: &str,
        build: &Build,
        wrong: Wrong,
        smaller: Option<(Kernel, Option<Wrong>)>,
    ) -> Failure {
        let number = self.kept.fetch_add(1, Ordering::Relaxed);
        let folder = self.plan.failures.join(format!("{}-{seed}-{number}", self.what));
        let count = if self.what == "sim" { 1 } else { PLACES * SETTINGS };
        let machines = match (self.what, self.plan.machines) {
            ("sim", n) if n > 0 => format!(" --machines {n}"),
            _ => String::new(),
        };
        let command = format!(
            "cargo run -p sqtt-kernelgen --release -- {} --seed {seed} --count {count}{machines}",
            self.what
        );
        let source = folder.join("kernel.hip");
        let text = format!(
            "seed {seed}\n{case}\n{:?}\n{}\n\ncompile: {}\nlaunch: {} workgroups of {}, n = {}\nagain: {command}\n",
            wrong.kind,
            wrong.what,
            build.command_line(&source, &folder.join("kernel.co")),
            kernel.grid,
            kernel.block,
            kernel.n,
        );
        // A reproducer that cannot be written must not hide the failure itself.
        let _ = std::fs::create_dir_all(&folder);
        let _ = std::fs::write(&source, print(kernel, build.print_options()));
        let _ = std::fs::write(folder.join("failure.txt"), text);
        if let Some((smaller, now)) = smaller {
            let _ = std::fs::write(folder.join("smaller.hip"), print(&smaller, build.print_options()));
            let _ = std::fs::write(folder.join("smaller.txt"), now.map_or_else(String::new, |now| now.what));
        }
        Failure { seed, case: case.to_owned(), wrong, folder, command }
    }
}
