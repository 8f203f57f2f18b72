//! Real programs, plain and with the plugin's markers: they print the same, each dispatch leaves the same in the devices'
//! memory, and every scope that a wave enters it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use commands::Llvm;
use sqtt_decoder::check::Severity;
use sqtt_decoder::trace::{LoadOptions, discover};
use sqtt_hip::Settings;

use crate::real::{Archive, PROGRAMS, start};
use crate::support::texts;

/// Settings of the plugin: markers in every function, and every lane's address.
const SETTINGS: [(&str, &[(&str, &str)]); 3] = [
    ("plain", &[]),
    (
        "points",
        &[
            ("SQTT_INSTRUMENT_FUNCTIONS", "1"),
            ("SQTT_INSTRUMENT_BARRIERS", "1"),
            ("SQTT_INSTRUMENT_MEMORY", "2:5"),
            ("SQTT_SCOPE_CU", "-1"),
        ],
    ),
    ("addresses", &[("SQTT_TRACE_ADDRESSES", "memory,lds"), ("SQTT_SCOPE_CU", "-1")]),
];

/// The targets of the long form; the short one has the first.
const TARGETS: [&str; 5] = ["gfx942", "gfx1100", "gfx90a", "gfx1030", "gfx1201"];

/// A variable that asks for the long form: 1 for all programs, or parts of their names with commas.
const LONG: &str = "ALL_PROGRAMS";

/// Programs of the short form.
const SHORT: [&str; 3] = ["Applications/prefix_sum", "HIP-Basic/shared_memory", "HIP-Basic/device_globals"];

/// Programs whose kernels the plugin does not see: hiprtc compiles them when they run.
const OTHERS: [&str; 1] = ["HIP-Basic/runtime_compilation"];

/// A program of 156,000 waves that trace a hundred accesses each, and the waves whose trace is enough.
const LARGE: &str = "HIP-Basic/moving_average";
const FEW_WAVES: [(&str, &str); 2] = [("SQTT_SCOPE_SIMD", "1"), ("SQTT_SCOPE_CU", "1")];

/// A run's traces and memory.
struct Ran {
    out: String,
    digests: String,
    /// Markers, and findings about them.
    markers: u64,
    findings: Vec<String>,
}

/// The lines that are no measurement of time.
fn steady(out: &str) -> String {
    let measured = |line: &&str| {
        ["time", " ms", "milliseconds", " s.", "GB/s", "GiB/s", "0x"].iter().any(|word| line.contains(word))
    };
    out.lines().filter(|line| !measured(line)).collect::<Vec<_>>().join("\n")
}

fn run(program: &Path, arguments: &[&str], target: &str, folder: &Path) -> Result<Ran, String> {
    let (digests, traces) = (folder.join("digests"), folder.join("traces"));
    let mut settings = Settings::default();
    settings.target = target.parse().unwrap();
    settings.devices = 2;
    settings.digests = Some(digests.clone());
    settings.trace = Some(traces.clone());
    let output = start(program, arguments, &settings);
    let (out, err) = texts(&output);
    if !output.status.success() || !err.is_empty() {
        return Err(format!("{}\n{out}\n{err}", output.status));
    }
    let mut ran = Ran {
        out: steady(&out),
        digests: fs::read_to_string(&digests).unwrap_or_default(),
        markers: 0,
        findings: Vec::new(),
    };
    let mut folders: Vec<PathBuf> = fs::read_dir(&traces)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
        .unwrap_or_default();
    folders.sort();
    for folder in folders {
        look(&folder, &mut ran);
    }
    Ok(ran)
}

/// Counts the markers of a trace, and what is wrong with them.
fn look(folder: &Path, ran: &mut Ran) {
    let found = discover(&[folder.to_owned()]).unwrap();
    let catalog = found.catalog();
    for source in found.traces() {
        let trace = source.load(&catalog, LoadOptions::default());
        let (findings, _) = sqtt_decoder::check::check(&trace);
        let losses = findings.iter().filter(|finding| finding.severity == Severity::Loss);
        ran.findings.extend(losses.map(|finding| format!("{}: {finding}", folder.display())));
        trace.decode(&sqtt_decoder::Filter::default(), |_, stream| {
            ran.markers += std::iter::from_fn(|| stream.next().map(|_| 1)).sum::<u64>();
        });
    }
}

/// The faults of a marked run beside the plain one.
fn faults(name: &str, ran: &Ran, plain: Option<&Ran>) -> Vec<String> {
    let mut faults = ran.findings.clone();
    let is_compiled_here = !OTHERS.contains(&name) && !ran.digests.is_empty();
    if is_compiled_here && plain.is_some() != (ran.markers > 0) {
        faults.push(format!("{} markers", ran.markers));
    }
    if let Some(plain) = plain {
        faults.extend(difference(&ran.out, &plain.out));
        faults.extend(difference(&ran.digests, &plain.digests));
    }
    faults
}

/// The first line that differs.
fn difference(marked: &str, plain: &str) -> Option<String> {
    if marked == plain {
        return None;
    }
    let differ = marked.lines().zip(plain.lines()).find(|(a, b)| a != b);
    let (a, b) = differ.unwrap_or(("another number of lines", ""));
    Some(format!("{a}\nplain: {b}"))
}

#[test]
#[ignore = "reads the shared test data"]
fn real_programs_do_the_same_with_markers() {
    let archive = Archive::open();
    let asked = std::env::var(LONG).ok();
    let is_asked = |name: &str| match asked.as_deref() {
        None => SHORT.contains(&name),
        Some("1") => true,
        Some(parts) => parts.split(',').any(|part| name.contains(part)),
    };
    let targets = if asked.is_some() { &TARGETS[..] } else { &TARGETS[..1] };
    let mut failed = 0;
    for target in targets {
        let isa = archive.isa(target);
        for (name, arguments, _) in PROGRAMS.iter().filter(|(name, ..)| is_asked(name)) {
            let mut plain: Option<Ran> = None;
            for (setting, variables) in SETTINGS {
                let plugin = (!variables.is_empty()).then(|| Llvm::V22.load_plugin());
                let mut variables = variables.to_vec();
                if *name == LARGE {
                    variables.extend(FEW_WAVES);
                }
                let program = archive.build_with(name, target, &isa, plugin.as_deref(), &variables);
                let folder = tempfile::tempdir().unwrap();
                let ran = run(&program, arguments, target, folder.path());
                let (said, faults) = match &ran {
                    Ok(ran) => {
                        let dispatches = ran.digests.lines().count();
                        let said = format!("{dispatches} dispatches, {} markers", ran.markers);
                        (said, faults(name, ran, plain.as_ref()))
                    }
                    Err(why) => ("it failed".to_owned(), vec![why.clone()]),
                };
                println!("{target} {name} {setting}: {said}");
                faults.iter().for_each(|fault| println!("{target} {name} {setting}: wrong: {fault}"));
                failed += usize::from(!faults.is_empty());
                plain = plain.or(ran.ok());
            }
        }
    }
    assert_eq!(failed, 0, "runs that failed or differ, said above");
}
