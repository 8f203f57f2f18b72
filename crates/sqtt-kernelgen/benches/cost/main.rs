//! Cost of markers. Each measurement prints a table and says what was measured. `cargo xtask bench` builds the plugin
//! and runs one:
//!
//! - [`compile`]: what the plugin costs a compile; on the module that [`generated`] writes.
//! - [`functions`]: what function markers add to the compile of real kernels.
//! - [`isa`]: what markers cost a kernel; [`measured`] makes a page of the documentation of it.

mod compile;
mod functions;
mod generated;
mod isa;
mod measured;

use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("compile") => compile::run(),
        Some("functions") => functions::run(),
        Some("isa") => isa::run(),
        _ => {
            println!("compile, functions or isa, after `--`");
            Ok(())
        }
    }
}

/// A folder for what a measurement makes, below cargo's.
fn work_dir(name: &str) -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    Ok(folder)
}

/// A goal and the verdict on it, for a table. Without a goal, which is infinity, there is nothing to say.
fn met(measured: f64, goal: f64) -> (String, &'static str) {
    match goal {
        f64::INFINITY => (String::new(), ""),
        _ if measured <= goal => (goal.to_string(), "met"),
        _ => (goal.to_string(), "MISSED"),
    }
}
