//! Judges one kernel: compiled, simulated, compared.

use crate::addresses::{Points, Traced};
use crate::ast::{Kernel, Size, initial_acc};
use crate::events::{Event, Label, Marked, compare, flatten, is_memory};
use crate::interp::{self, Expected};
use crate::loads::Loads;
use crate::memory::{self, Buffers};
use crate::print::{KERNEL_NAME, print};
use crate::setting::{Functions, Masks, Setting};
use crate::toolchain::Build;
use crate::trace::Names;
use sqtt_format::MarkerEncoding;
use sqtt_sim::{Arg, Launch, Options, Program, RunResult, WaveTrace};
use std::path::Path;

/// Wave-instructions that a workgroup may take: many times what any generated kernel does.
const MAX_STEPS: u64 = 20_000_000;

/// The kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Compile,
    Simulator,
    Result,
    Funcmap,
    Stream,
    Addresses,
    Memory,
    Loads,
    Clock,
    Bytes,
    Host,
}

/// A kernel that does not do what it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The kind of fault.
    pub kind: Kind,
    /// The place and the difference.
    pub what: String,
}

impl Wrong {
    fn new(kind: Kind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }
}

/// A judgement: right, or wrong in some way. The outer error is a missing tool.
pub type Judgement<T> = anyhow::Result<Result<T, Wrong>>;

/// Compiles a kernel.
///
/// # Errors
/// A missing tool outside; a failing compile inside.
pub fn object(kernel: &Kernel, build: &Build, folder: &Path) -> Judgement<Vec<u8>> {
    let compiled = build.compile_text(&print(kernel, build.print_options()), folder)?;
    Ok(compiled.map_err(|error| Wrong::new(Kind::Compile, error.output)))
}

/// Compiles a kernel and runs it.
///
/// # Errors
/// A missing tool outside; a failing compile or run inside.
pub fn run(kernel: &Kernel, build: &Build, folder: &Path) -> Judgement<(Vec<u8>, RunResult)> {
    let bytes = match object(kernel, build, folder)? {
        Ok(bytes) => bytes,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let simulated = Program::load(&bytes).and_then(|program| {
        let zeros = vec![0; (kernel.grid * kernel.block) as usize * kernel.columns];
        let args = vec![
            Arg::words(&kernel.input),
            Arg::words(&zeros),
            Arg::words(&initial_acc()),
            Arg::u32(kernel.n),
        ];
        let launch = Launch::new(KERNEL_NAME, kernel.grid, kernel.block, args);
        let accesses =
            kernel.uniform || build.asks("SQTT_TRACE_ADDRESSES") || build.asks("SQTT_INSTRUMENT_MEMORY");
        let options = Options::default().threads(1).max_steps(MAX_STEPS).accesses(accesses);
        sqtt_sim::run(&program, &launch, &options)
    });
    Ok(match simulated {
        Ok(result) => Ok((bytes, result)),
        Err(error) => Err(Wrong::new(Kind::Simulator, error.to_string())),
    })
}

/// Compares the buffers of a run with those of the host.
///
/// # Errors
/// The first word that differs.
pub fn check_buffers(kernel: &Kernel, expected: &Expected, result: &RunResult) -> Result<(), Wrong> {
    let wanted: [(&str, &[u32]); 3] = [("in", &kernel.input), ("out", &expected.out), ("acc", &expected.acc)];
    for ((name, words), buffer) in wanted.into_iter().zip(&result.buffers) {
        let found = buffer.words();
        if let Some(at) = (0..words.len()).find(|at| found.get(*at) != Some(&words[*at])) {
            let place = match name {
                "out" => format!(" (work-item {}, column {})", at / kernel.columns, at % kernel.columns),
                _ => String::new(),
            };
            let found = found.get(at).copied().unwrap_or_default();
            return Err(Wrong::new(
                Kind::Result,
                format!("{name}[{at}]{place}: expected {:#x}, found {found:#x}", words[at]),
            ));
        }
    }
    Ok(())
}

/// A kernel without markers against the host.
///
/// # Errors
/// See [`run`].
pub fn check_plain(
    kernel: &Kernel,
    expected: &Expected,
    build: &Build,
    folder: &Path,
) -> Judgement<RunResult> {
    let result = match run(kernel, build, folder)? {
        Ok((_, result)) => result,
        Err(wrong) => return Ok(Err(wrong)),
    };
    Ok(check_buffers(kernel, expected, &result).map(|()| result))
}

/// A kernel with markers: results as without (`plain`), and streams as the source and the setting say. With a shader
/// clock its markers have no payload.
///
/// # Errors
/// See [`run`].
pub fn check_marked(
    kernel: &Kernel,
    expected: &Expected,
    plain: &RunResult,
    build: &Build,
    setting: &Setting,
    folder: &Path,
) -> Judgement<()> {
    let (object, result) = match run(kernel, build, folder)? {
        Ok(done) => done,
        Err(wrong) => return Ok(Err(wrong)),
    };
    Ok((|| {
        for (with, without) in result.buffers.iter().zip(&plain.buffers) {
            if with.bytes != without.bytes {
                check_buffers(kernel, expected, &result)?;
                return Err(Wrong::new(Kind::Result, "results differ with and without the plugin"));
            }
        }
        let functions: Vec<&str> = kernel.functions.iter().map(|function| function.name.as_str()).collect();
        let names = Names::read(&object, &functions).map_err(|what| Wrong::new(Kind::Funcmap, what))?;
        let exact = build.opt == 0 && setting.memory.is_some_and(|(size, _)| size == 1);
        let marked = Marked { barriers: setting.barriers, memory: exact, ..names.marked() };
        check_functions(kernel, expected, &marked, setting, build)?;
        let points = Points::read(&object).map_err(|what| Wrong::new(Kind::Funcmap, what))?;
        check_streams(expected, &result, &names, &marked, &points, setting.masks)?;
        check_addresses(&result, &points, setting)?;
        check_memory(kernel, &result, &names, setting)?;
        check_loads(kernel, plain, &result, setting)?;
        check_clock(&result, &names, setting)
    })())
}

fn at_wave(kind: Kind, wave: &WaveTrace) -> impl Fn(String) -> Wrong {
    move |what| Wrong::new(kind, format!("workgroup {} wave {}: {what}", wave.workgroup[0], wave.wave))
}

/// Memory markers and accesses of every wave that records.
fn check_memory(kernel: &Kernel, result: &RunResult, names: &Names, setting: &Setting) -> Result<(), Wrong> {
    if setting.memory.is_none() {
        return Ok(());
    }
    let buffers = Buffers { all: &result.buffers, loose_input: kernel.restrict };
    for wave in result.waves.iter().filter(|wave| setting.masks.admit(wave)) {
        memory::check(wave, names, buffers).map_err(at_wave(Kind::Memory, wave))?;
    }
    Ok(())
}

/// True if scalar loads of a kernel that ran without the plugin are to be found with it.
#[must_use]
pub fn counts_loads(kernel: &Kernel, plain: &RunResult, setting: &Setting) -> bool {
    kernel.uniform && setting.boundary != "asm" && !setting.traced().memory && Loads::of(plain).are_scalar()
}

fn check_loads(
    kernel: &Kernel,
    plain: &RunResult,
    result: &RunResult,
    setting: &Setting,
) -> Result<(), Wrong> {
    if !counts_loads(kernel, plain, setting) {
        return Ok(());
    }
    Loads::of(plain).check(Loads::of(result)).map_err(|what| Wrong::new(Kind::Loads, what))
}

/// The layout is the one that was asked for, and every packed word has the simulated clock.
fn check_clock(result: &RunResult, names: &Names, setting: &Setting) -> Result<(), Wrong> {
    let (bits, shift) = setting.clock.unwrap_or_default();
    let encoding = names.encoding();
    // A module without a marker has no layout to tell.
    let traces = result.waves.iter().any(|wave| !wave.markers.is_empty());
    let wanted = MarkerEncoding { shader_clock_bits: bits, shader_clock_shift: shift };
    if (traces || encoding.has_shader_clock()) && encoding != wanted {
        return Err(Wrong::new(Kind::Clock, format!("the funcmap says {encoding:?}")));
    }
    for wave in &result.waves {
        names.check_clock(&wave.markers).map_err(at_wave(Kind::Clock, wave))?;
    }
    Ok(())
}

/// Blocks and accesses of every wave that records.
fn check_addresses(result: &RunResult, points: &Points, setting: &Setting) -> Result<(), Wrong> {
    let traced = setting.traced();
    if traced == (Traced { memory: false, lds: false }) {
        return Ok(());
    }
    for wave in result.waves.iter().filter(|wave| setting.masks.admit(wave)) {
        points.check(wave, &result.buffers, traced).map_err(at_wave(Kind::Addresses, wave))?;
    }
    Ok(())
}

/// Checks that clearly large functions have a row, and clearly small ones none.
fn check_functions(
    kernel: &Kernel,
    expected: &Expected,
    marked: &Marked,
    setting: &Setting,
    build: &Build,
) -> Result<(), Wrong> {
    let wrong = |name: &str, what: &str| Err(Wrong::new(Kind::Funcmap, format!("function {name} {what}")));
    for (function, called) in kernel.functions.iter().zip(&expected.called) {
        let has_row = marked.contains(&function.name);
        let (small, large) = match setting.functions {
            Functions::Off => (true, false),
            Functions::Instructions(above) => (above >= 40, true),
            // At -O0 every variable is memory, which costs.
            Functions::Cost(above) => (above >= 40 && build.opt > 0, true),
        };
        if has_row && small && (function.size == Size::Small || setting.functions == Functions::Off) {
            return wrong(&function.name, "is marked, although it is below the threshold");
        }
        // What nobody looks at goes, and with a clock no marker does.
        let large = large && setting.clock.is_none();
        if !has_row && large && function.size == Size::Large && *called {
            return wrong(&function.name, "is not marked, although it is above the threshold");
        }
    }
    Ok(())
}

fn check_streams(
    expected: &Expected,
    result: &RunResult,
    names: &Names,
    marked: &Marked,
    points: &Points,
    masks: Masks,
) -> Result<(), Wrong> {
    for (wave, nodes) in result.waves.iter().zip(&expected.waves) {
        let words: Vec<u32> = wave.markers.iter().map(|marker| marker.value).collect();
        let mut events = names.events(&points.without_blocks(&words));
        // Where operations share markers, or the optimizer has been at them, accesses say what is right.
        if !marked.memory {
            events.retain(|event| !matches!(event, Event::Point(Label::System(point)) if is_memory(*point)));
        }
        let nothing = Vec::new();
        let nodes = if masks.admit(wave) { nodes } else { &nothing };
        if let Err(difference) = compare(nodes, marked, &events) {
            let lines = |events: &[crate::events::Event]| {
                events.iter().enumerate().map(|(k, event)| format!("\n  {k:4} {event}")).collect::<String>()
            };
            return Err(Wrong::new(
                Kind::Stream,
                format!(
                    "workgroup {} wave {} (se {}, cu {}, simd {}, slot {}, workgroup slot {}): {difference}\n\
                     recorded:{}\nexpected (arms in the order of the source):{}",
                    wave.workgroup[0],
                    wave.wave,
                    wave.se,
                    wave.cu,
                    wave.simd,
                    wave.slot,
                    wave.workgroup_slot,
                    lines(&events),
                    lines(&flatten(nodes, marked)),
                ),
            ));
        }
    }
    Ok(())
}

/// The host's expectation for one wave size.
#[must_use]
pub fn expect(kernel: &Kernel, wave: u32) -> Expected {
    interp::run(kernel, wave)
}
