//! Random input, far more of it than the tests take. A failing input is printed, shrunk, and kept by proptest in a
//! `proptest-regressions` file, which belongs into the repository.

use crate::listed::{Listed, choose};
use crate::shell::{self, announce};
use crate::workspace::cargo;
use anyhow::Result;

type Fuzz = fn(u32) -> Result<()>;

const FUZZES: &[Listed<Fuzz>] = &[
    Listed {
        name: "funcmap",
        about: "names, rows and marker words: what is written is read back, what is read never panics",
        run: |cases| properties("sqtt-format", cases),
    },
    Listed {
        name: "codeobj",
        about: "damaged code objects and offload bundles: an error, no panic, no hang",
        run: |cases| properties("sqtt-decoder", cases),
    },
];

/// Runs what was asked for.
pub(crate) fn run(what: Option<&str>, cases: u32) -> Result<()> {
    match choose("fuzz", FUZZES, what)? {
        Some(fuzz) => {
            announce(&format!("{}: {cases} inputs per property", fuzz.name));
            (fuzz.run)(cases)
        }
        None => Ok(()),
    }
}

/// The properties of a crate, with so many cases each, optimized.
fn properties(package: &str, cases: u32) -> Result<()> {
    let mut cargo = cargo()?;
    cargo
        .args(["test", "--release", "--package", package])
        .env("PROPTEST_CASES", cases.to_string())
        // Inputs that a property has no opinion on are as many as its cases, and no failure.
        .env("PROPTEST_MAX_GLOBAL_REJECTS", cases.saturating_mul(8).to_string());
    shell::run(&mut cargo)
}
