//! Runs the FileCheck tests of `lit/` and reports every file as a test of its own, once per LLVM.
//!
//! lit is started once for each LLVM, with the files that are asked for, and writes a report; each test looks its
//! result up there.

use commands::{Llvm, command, root, target_dir};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// A lit file, on one LLVM.
#[derive(Clone)]
struct Case {
    llvm: Llvm,
    /// Relative to `lit/`, with slashes.
    file: String,
}

/// Output of lit about one file.
struct Verdict {
    code: String,
    output: String,
}

type Report = Result<HashMap<String, Verdict>, String>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let files = lit_files();
    let cases: Vec<Case> = Llvm::ALL
        .into_iter()
        .flat_map(|llvm| files.iter().filter(move |file| applies(file, llvm)).map(move |file| (llvm, file)))
        .map(|(llvm, file)| Case { llvm, file: file.clone() })
        .collect();
    let mut trials = Vec::new();
    for llvm in Llvm::ALL {
        let of_this = || cases.iter().filter(move |case| case.llvm == llvm);
        let wanted: Vec<String> = of_this()
            .filter(|case| selected(&arguments, &name(case)))
            .map(|case| case.file.clone())
            .collect();
        let report: Arc<OnceLock<Report>> = Arc::default();
        let wanted = Arc::new(wanted);
        for case in of_this().cloned() {
            let (report, wanted) = (Arc::clone(&report), Arc::clone(&wanted));
            trials.push(Trial::test(name(&case), move || {
                judge(&case, report.get_or_init(|| run_lit(case.llvm, &wanted)))
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn name(case: &Case) -> String {
    format!("llvm{}::{}", case.llvm.major(), case.file)
}

/// Selection as libtest does it.
fn selected(arguments: &Arguments, name: &str) -> bool {
    let hit = |filter: &String| if arguments.exact { name == filter } else { name.contains(filter.as_str()) };
    arguments.filter.as_ref().is_none_or(hit) && !arguments.skip.iter().any(hit)
}

fn judge(case: &Case, report: &Report) -> Result<(), Failed> {
    let verdicts = report.as_ref().map_err(Failed::from)?;
    let verdict = verdicts.get(&case.file).ok_or("lit did not report this file")?;
    match verdict.code.as_str() {
        "PASS" => Ok(()),
        code => Err(format!("{code}\n{}", verdict.output).into()),
    }
}

/// Every test file, in order.
fn lit_files() -> Vec<String> {
    let mut files = Vec::new();
    let mut open = vec![root().join("lit")];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("lit/ can be read") {
            let path = entry.expect("lit/ can be read").path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "Inputs") {
                    open.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|suffix| ["ll", "hip", "test"].iter().any(|s| suffix == *s))
            {
                let below = path.strip_prefix(root().join("lit")).expect("a path below lit/");
                files.push(below.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    files.sort();
    files
}

/// True if a file is for this LLVM: `REQUIRES: llvm22` is the only condition in use.
fn applies(file: &str, llvm: Llvm) -> bool {
    let text = fs::read(root().join("lit").join(file)).expect("a lit file can be read");
    let text = String::from_utf8_lossy(&text);
    text.lines()
        .filter_map(|line| line.split_once("REQUIRES:"))
        .all(|(_, feature)| feature.trim() == format!("llvm{}", llvm.major()))
}

fn run_lit(llvm: Llvm, files: &[String]) -> Report {
    let out = target_dir().expect("a target folder").join(format!("lit/{}", llvm.major()));
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let report = out.join("report.json");
    // lit comes with LLVM 22 only; the tools it runs are those of `llvm`.
    let mut lit = command(Llvm::V22.tool("lit"));
    for tool in ["opt", "clang", "llc", "FileCheck", "ld.lld"] {
        llvm.tool(tool);
    }
    lit.args(["--quiet", "--param", &format!("llvm={}", llvm.major())]);
    lit.arg("--param").arg(format!("plugin={}", llvm.plugin().display()));
    lit.arg("--param").arg(format!("out={}", out.display()));
    lit.arg("--output").arg(&report);
    lit.args(files.iter().map(|file| root().join("lit").join(file)));
    // Output of a former run must not pass for this one's.
    if report.exists() {
        fs::remove_file(&report).map_err(|error| format!("{}: {error}", report.display()))?;
    }
    let output = lit.output().map_err(|error| format!("lit does not start: {error}"))?;
    read_report(&report).map_err(|error| {
        format!(
            "{error}; lit said:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

fn read_report(path: &Path) -> Report {
    let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let json: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let tests = json["tests"].as_array().ok_or_else(|| format!("{}: no tests", path.display()))?;
    let text = |test: &serde_json::Value, key: &str| test[key].as_str().unwrap_or_default().to_owned();
    Ok(tests
        .iter()
        .map(|test| {
            // "llvm22 :: names/literal.ll"
            let name = text(test, "name");
            let file = name.split_once(" :: ").map_or(name.clone(), |(_, file)| file.to_owned());
            (
                PathBuf::from(file).to_string_lossy().into_owned(),
                Verdict { code: text(test, "code"), output: text(test, "output") },
            )
        })
        .collect())
}
